-- Facts, append-only. No primary key and no index: `seq` alone is found by zone maps.

create table graph_defs (
    seq BIGINT,
    def_hash VARCHAR,
    graph VARCHAR,
    manifest VARCHAR USING COMPRESSION zstd,
    code_hash VARCHAR,
    created_at TIMESTAMPTZ
);

create table thread_events (
    seq BIGINT,
    thread_id VARCHAR,
    checkpoint_ns VARCHAR,
    kind VARCHAR,
    graph VARCHAR,
    head_seq BIGINT,
    status VARCHAR,
    forked_from_thread VARCHAR,
    forked_from_checkpoint VARCHAR,
    metadata VARCHAR USING COMPRESSION zstd,
    "at" TIMESTAMPTZ
);

create table run_events (
    seq BIGINT,
    run_id VARCHAR,
    thread_id VARCHAR,
    graph VARCHAR,
    kind VARCHAR,
    event VARCHAR,
    parent_run_id VARCHAR,
    checkpoint_id VARCHAR,
    def_hash VARCHAR,
    status VARCHAR,
    error_type VARCHAR,
    error_message VARCHAR,
    n_steps INTEGER,
    metadata VARCHAR USING COMPRESSION zstd,
    "at" TIMESTAMPTZ
);

create table checkpoints (
    seq BIGINT,
    thread_id VARCHAR,
    checkpoint_ns VARCHAR,
    checkpoint_id VARCHAR,
    parent_checkpoint_id VARCHAR,
    parent_checkpoint_seq BIGINT,
    copied_from_seq BIGINT,
    run_id VARCHAR,
    step INTEGER,
    source VARCHAR,
    branch VARCHAR,
    created_at TIMESTAMPTZ,
    nodes VARCHAR[],
    "next" VARCHAR[],
    next_tasks VARCHAR USING COMPRESSION zstd,
    changed VARCHAR[],
    state_bytes BIGINT,
    state_hash VARCHAR,
    value_seqs VARCHAR USING COMPRESSION zstd,
    def_hash VARCHAR,
    metadata VARCHAR USING COMPRESSION zstd
);

create table channel_values (
    seq BIGINT,
    thread_id VARCHAR,
    checkpoint_ns VARCHAR,
    checkpoint_id VARCHAR,
    channel VARCHAR,
    op VARCHAR,
    base_seq BIGINT,
    depth INTEGER,
    value VARCHAR USING COMPRESSION zstd,
    type VARCHAR,
    blob_hash VARCHAR,
    nbytes BIGINT,
    value_hash VARCHAR
);

create table value_blobs (
    seq BIGINT,
    hash VARCHAR,
    kind VARCHAR,
    dtype VARCHAR,
    shape VARCHAR,
    preview VARCHAR,
    bytes BLOB
);

create table tasks (
    seq BIGINT,
    task_id VARCHAR,
    run_id VARCHAR,
    thread_id VARCHAR,
    checkpoint_ns VARCHAR,
    checkpoint_id VARCHAR,
    input_checkpoint_id VARCHAR,
    step INTEGER,
    node VARCHAR,
    attempt INTEGER,
    triggered_by VARCHAR[],
    status VARCHAR,
    started_at TIMESTAMPTZ,
    ended_at TIMESTAMPTZ,
    duration_ms DOUBLE,
    error_type VARCHAR,
    error_message VARCHAR,
    traceback VARCHAR
);

create table writes (
    seq BIGINT,
    thread_id VARCHAR,
    checkpoint_ns VARCHAR,
    checkpoint_id VARCHAR,
    task_id VARCHAR,
    idx INTEGER,
    channel VARCHAR,
    value VARCHAR USING COMPRESSION zstd,
    type VARCHAR,
    blob_hash VARCHAR,
    nbytes BIGINT
);

create table interrupt_events (
    seq BIGINT,
    interrupt_id VARCHAR,
    thread_id VARCHAR,
    checkpoint_ns VARCHAR,
    checkpoint_id VARCHAR,
    task_id VARCHAR,
    node VARCHAR,
    event VARCHAR,
    value VARCHAR USING COMPRESSION zstd,
    "at" TIMESTAMPTZ
);

create table annotations (
    seq BIGINT,
    thread_id VARCHAR,
    checkpoint_ns VARCHAR,
    checkpoint_id VARCHAR,
    kind VARCHAR,
    "text" VARCHAR,
    removed BOOLEAN,
    author VARCHAR,
    created_at TIMESTAMPTZ
);

create table store_meta (
    schema_version INTEGER,
    drained_seq BIGINT,
    store_id VARCHAR
);
