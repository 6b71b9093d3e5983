"""A JupyterLab server of the tests' own, which nothing on the machine leaks into."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

PATIENCE = float(os.environ.get("WEAVENB_PATIENCE", "60"))
"""Seconds that a wait may take; only a failing test ever takes them all."""

# JupyterLab's settings by plugin: all cells in the page, no dialogs, no news, no writes of its own.
SETTINGS: dict[str, dict[str, object]] = {
    "@jupyterlab/notebook-extension/tracker": {
        "windowingMode": "none",
        "autoStartDefaultKernel": True,
        "kernelShutdown": False,
    },
    "@jupyterlab/docmanager-extension/plugin": {
        "autosave": False,
        "confirmClosingDocument": False,
        "renameUntitledFileOnSave": False,
    },
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/apputils-extension/themes": {
        "theme": "JupyterLab Light",
        "adaptive-theme": False,
    },
}
# A server whose tests were killed ends by itself.
IDLE_SECONDS = 900
OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--ip=127.0.0.1",
    "--expose-app-in-browser",
    "--JupyterNotebookApp.expose_app_in_browser=True",
    "--ServerApp.port_retries=0",
    "--ServerApp.terminals_enabled=False",
    "--ServerApp.jpserver_extensions={'jupyter_lsp': False}",
    f"--ServerApp.shutdown_no_activity_timeout={IDLE_SECONDS}",
    f"--MappingKernelManager.cull_idle_timeout={IDLE_SECONDS}",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)
PRIVATE = {
    "HOME": "home",
    "IPYTHONDIR": "ipython",
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class JupyterServer:
    """One server process; `start` and `stop` bracket it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notebooks = folder / "notebooks"
        self.data = folder / "data"
        self.runtime = folder / "runtime"
        self.log = folder / "jupyter.log"
        self.token = secrets.token_hex(16)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> JupyterServer:
        self.notebooks.mkdir(parents=True)
        for name in PRIVATE.values():
            (self.folder / name).mkdir()
        for plugin, values in SETTINGS.items():
            path = self.folder / "settings" / f"{plugin}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values), encoding="utf-8")
        command = [sys.executable, "-m", "jupyterlab", *OPTIONS, f"--port={self.port}"]
        command.append(f"--ServerApp.root_dir={self.notebooks}")
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._wait_until_it_answers()
        return self

    def stop(self) -> None:
        """Ends the server and its kernels, politely first."""
        process = self._process
        if process is None:
            return
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, sign)
                process.wait(timeout=10)
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
            break
        self._process = None

    def api(self, path: str, method: str = "GET") -> Any:
        """What the server's own interface answers, read from JSON."""
        request = urllib.request.Request(  # noqa: S310 - our own server on the loopback address
            self.url + path, method=method, headers={"Authorization": f"token {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - as above
            text = answer.read()
        return json.loads(text) if text else None

    def _environment(self) -> dict[str, str]:
        foreign = ("JUPYTER", "JPY_", "IPYTHON")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        private = {name: str(self.folder / place) for name, place in PRIVATE.items()}
        # The token goes by the environment, where other users of the machine cannot read it.
        return {**kept, **private, "JUPYTER_TOKEN": self.token, "JUPYTER_PLATFORM_DIRS": "1"}

    def _wait_until_it_answers(self) -> None:
        assert self._process is not None
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._process.poll() is not None:
                break
            try:
                self.api("/api/status")
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
            else:
                return
        said = self.log.read_text(encoding="utf-8", errors="replace")[-3000:]
        self.stop()
        message = f"JupyterLab did not come up; it said:\n{said}"
        raise RuntimeError(message)
