"""Every error weavenb raises.

::

    WeaveError
    ├── GraphError                    the definition, or a call that does not fit it
    │   ├── InvalidGraph              invalid_graph
    │   ├── UnknownNode               unknown_node
    │   ├── UnknownKey                unknown_key
    │   └── DefinitionMismatch        def_hash_mismatch
    ├── RunError                      one run: thread, step, node
    │   ├── NodeFailed                node_error
    │   ├── OutsideNode               node_error
    │   ├── InvalidUpdate             invalid_update
    │   ├── RecursionLimit            recursion_limit
    │   ├── ThreadNotFound            thread_not_found
    │   ├── CheckpointNotFound        checkpoint_not_found
    │   ├── AmbiguousUpdate           ambiguous_state_update
    │   ├── AmbiguousResume           ambiguous_resume
    │   ├── NothingToResume           nothing_to_resume
    │   ├── MissingThread             missing_thread
    │   ├── SerializationFailed       serialization_error
    │   └── ValidationFailed          validation_error
    └── StoreError                    where history is kept
        ├── StorageTrouble            storage_error
        ├── StorageLocked             storage_locked
        ├── OpenedDifferently         storage_open_differently
        ├── Unsupported               unsupported
        ├── ConcurrentUpdate          concurrent_update
        ├── ThreadDeleted             thread_deleted
        ├── ThreadExists              thread_exists
        ├── DeltaDependency           delta_dependency
        ├── RestoreFailed             restore_failed
        └── QueryFailed               query_error

Each class keeps its facts in ``args`` (so it pickles), its ``code`` is what programs compare, its text says what
happened and what to do, and ``details`` gives the facts by name.
"""

from __future__ import annotations

from weavenb.errors.base import WeaveError, nearest
from weavenb.errors.graph import (
    DefinitionMismatch,
    GraphError,
    InvalidGraph,
    UnknownKey,
    UnknownNode,
)
from weavenb.errors.run import (
    AmbiguousResume,
    AmbiguousUpdate,
    CheckpointNotFound,
    InvalidUpdate,
    MissingThread,
    NodeFailed,
    NothingToResume,
    OutsideNode,
    RecursionLimit,
    RunError,
    SerializationFailed,
    ThreadNotFound,
    ValidationFailed,
)
from weavenb.errors.store import (
    ConcurrentUpdate,
    DeltaDependency,
    OpenedDifferently,
    QueryFailed,
    RestoreFailed,
    StorageLocked,
    StorageTrouble,
    StoreError,
    ThreadDeleted,
    ThreadExists,
    Unsupported,
)

__all__ = [
    "AmbiguousResume",
    "AmbiguousUpdate",
    "CheckpointNotFound",
    "ConcurrentUpdate",
    "DefinitionMismatch",
    "DeltaDependency",
    "GraphError",
    "InvalidGraph",
    "InvalidUpdate",
    "MissingThread",
    "NodeFailed",
    "NothingToResume",
    "OpenedDifferently",
    "OutsideNode",
    "QueryFailed",
    "RecursionLimit",
    "RestoreFailed",
    "RunError",
    "SerializationFailed",
    "StorageLocked",
    "StorageTrouble",
    "StoreError",
    "ThreadDeleted",
    "ThreadExists",
    "ThreadNotFound",
    "UnknownKey",
    "UnknownNode",
    "Unsupported",
    "ValidationFailed",
    "WeaveError",
    "nearest",
]
