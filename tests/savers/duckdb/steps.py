"""Short histories for the tests of the store."""

from __future__ import annotations

from dataclasses import replace

from weavenb.testing.commits import appended, change, commit, config, record

__all__ = ["add", "numbers", "thread_config"]

EVER = 2**60


def thread_config(thread="t", id_=None):
    return config(thread, id_)


def add(saver, value, thread="t", *, sync=False, started=EVER):
    """Append `value` to the list ``log``."""
    head = saver.get_tuple(config(thread))
    if head is None:
        made, expected = record(thread, None, {"log": [value], "last": value}), None
    else:
        log = [*head.checkpoint["channel_values"]["log"], value]
        expected = head.checkpoint["id"]
        changes = [appended("log", value), change("last", value)]
        made = replace(
            record(thread, None, {"log": log, "last": value}, changes),
            parent=expected,
            step=head.metadata["step"] + 1,
            source="loop",
        )
    saver.commit_step(commit(made), expected_head=expected, run_started_seq=started, sync=sync)
    return made


def numbers(saver, thread="t"):
    """What the list holds; None when there is no such thread."""
    head = saver.get_tuple(config(thread))
    return None if head is None else head.checkpoint["channel_values"]["log"]
