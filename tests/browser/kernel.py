"""Asks a kernel over its own sockets: what is there, not what the page believes."""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient

from tests.browser.server import PATIENCE


class KernelLink:
    """A second client of a kernel that a notebook in the page uses."""

    def __init__(self, connection_file: Path) -> None:
        self._client = BlockingKernelClient(connection_file=str(connection_file))
        self._client.load_connection_file()
        unused = {"iopub": False, "stdin": False, "hb": False, "control": False}
        self._client.start_channels(**unused)

    def value(self, expression: str) -> Any:
        """The expression's value, through JSON; waits for a cell that is running.

        Raises:
            RuntimeError: if the kernel cannot evaluate it.
        """
        asked = self._client.execute(
            "",
            silent=True,
            store_history=False,
            user_expressions={"it": f"__import__('json').dumps({expression}, default=repr)"},
        )
        end = time.monotonic() + PATIENCE
        while True:
            answer = self._client.get_shell_msg(timeout=max(0.01, end - time.monotonic()))
            if answer["parent_header"].get("msg_id") == asked:
                break
        told = answer["content"].get("user_expressions", {}).get("it", answer["content"])
        if told.get("status") != "ok":
            message = f"{expression}: {told.get('ename')}: {told.get('evalue')}"
            raise RuntimeError(message)
        return json.loads(ast.literal_eval(told["data"]["text/plain"]))

    def wait_for(self, expression: str, pause: Callable[[float], None]) -> Any:
        """The value once it is true: a click reaches the kernel later, never at once.

        `pause` takes milliseconds, and lets the page go on meanwhile.
        """
        end = time.monotonic() + PATIENCE
        while not (value := self.value(expression)):
            assert time.monotonic() < end, f"still not true in the kernel: {expression}"
            pause(25)
        return value

    def close(self) -> None:
        self._client.stop_channels()
