"""A saver with the plain contract and nothing else, and a short story to put in any saver."""

from __future__ import annotations

from weavenb.savers.contract import CheckpointTuple, Saver

AT = "2026-01-02T03:04:05.000006+00:00"


def place(config):
    where = config["configurable"]
    return where["thread_id"], where.get("checkpoint_ns") or ""


def config_of(thread, namespace="", checkpoint=None):
    where = {"thread_id": thread, "checkpoint_ns": namespace}
    return {"configurable": where if checkpoint is None else {**where, "checkpoint_id": checkpoint}}


class PlainSaver(Saver):
    def __init__(self):
        self.stored = []

    def put(self, config, checkpoint, metadata, versions):
        thread, namespace = place(config)
        named = config_of(thread, namespace, checkpoint["id"])
        parent = config if "checkpoint_id" in config["configurable"] else None
        self.stored.append(CheckpointTuple(named, dict(checkpoint), dict(metadata), parent))
        return named

    def put_writes(self, config, writes, task_id, path=""):
        found = self.get_tuple(config)
        assert found is not None
        found.pending_writes.extend((task_id, channel, value) for channel, value in writes)

    def get_tuple(self, config):
        return next(self.list(config), None)

    def list(self, config=None, *, limit=None, before=None, filter=None):
        newest = self.stored[::-1]
        if config is not None:
            newest = [one for one in newest if place(one.config) == place(config)]
            wanted = config["configurable"].get("checkpoint_id")
            if wanted is not None:
                newest = [one for one in newest if one.config["configurable"]["checkpoint_id"] == wanted]
        if before is not None:
            ids = [one.config["configurable"]["checkpoint_id"] for one in newest]
            newest = newest[ids.index(before["configurable"]["checkpoint_id"]) + 1 :]
        return iter(newest[:limit])

    def get_delta_channel_history(self, config, keys, **opts):
        return {}

    def delete_thread(self, thread_id):
        self.stored = [one for one in self.stored if place(one.config)[0] != thread_id]

    def delete_for_runs(self, run_ids):
        self.stored = [one for one in self.stored if one.metadata.get("run_id") not in run_ids]

    def copy_thread(self, from_id, to_id):
        pass

    def prune(self, thread_ids, **opts):
        pass

    def next_version(self, current, key):
        return (current or 0) + 1


def task(node, step, **rest):
    return {"id": f"{step}.{node}.0.abc", "node": node, "path": "", "triggered_by": [], **rest}


def put(saver, thread, id_, values, *, parent=None, step, source="loop", nodes=(), next_=(), changed=None, **metadata):
    """Put one checkpoint by the plain contract; its config comes back."""
    checkpoint = {
        "v": 1,
        "id": id_,
        "ts": AT,
        "channel_values": values,
        "channel_versions": dict.fromkeys(values, step + 2),
        "updated_channels": list(values if changed is None else changed),
        "next": [task(node, step + 1) for node in next_],
        "def_hash": "def0",
        "produced_by": list(nodes),
    }
    told = {"source": source, "step": step, "run_id": "run-1", "branch": None, **metadata}
    return saver.put(config_of(thread, "", parent), checkpoint, told, checkpoint["channel_versions"])


def tell(saver, thread="t"):
    """An input, `draft`, `score`, and then `review`, which asks."""
    put(saver, thread, "c0", {"topic": "tea"}, step=-1, source="input", nodes=["__start__"], next_=["draft"])
    first = {"topic": "tea", "notes": ["hot"], "plan": {"budget": 3}}
    put(saver, thread, "c1", first, parent="c0", step=0, nodes=["draft"], next_=["score"], changed=["notes", "plan"])
    second = {"topic": "tea", "notes": ["hot", "green"], "plan": {"budget": 5}, "score": 0.5}
    config = put(
        saver,
        thread,
        "c2",
        second,
        parent="c1",
        step=1,
        nodes=["score"],
        next_=["review"],
        changed=["notes", "plan", "score"],
    )
    saver.put_writes(config, [("__interrupt__", [{"id": "q0", "value": "ok?"}])], "2.review.0.abc")
    return saver
