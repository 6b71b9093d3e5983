-- What changes is told by later facts; these views show the last one of each key.

-- One row a run: run_id, thread_id, graph, kind, parent_run_id, checkpoint_id (where it began), def_hash,
-- started_at, ended_at (TIMESTAMPTZ), duration_ms (DOUBLE), status (running until it ended), error_type,
-- error_message, n_steps, metadata (JSON text), seq.
create or replace view runs as
select
    s.seq,
    s.run_id,
    s.thread_id,
    s.graph,
    s.kind,
    s.parent_run_id,
    s.checkpoint_id,
    s.def_hash,
    s."at" as started_at,
    e."at" as ended_at,
    epoch_us(e."at" - s."at") / 1000.0 as duration_ms,
    coalesce(e.status, 'running') as status,
    e.error_type,
    e.error_message,
    e.n_steps,
    s.metadata
from (
    select * from run_events where event = 'start' qualify row_number() over (partition by run_id order by seq) = 1
) s
left join (
    select * from run_events where event = 'end' qualify row_number() over (partition by run_id order by seq desc) = 1
) e on e.run_id = s.run_id;

-- One row a thread: thread_id, graph, status, checkpoints (BIGINT), head_seq, head_checkpoint_id, created_at,
-- updated_at (TIMESTAMPTZ), forked_from_thread, forked_from_checkpoint, metadata (JSON text).
create or replace view threads as
with kept as (
    select
        thread_id,
        count(*) filter (checkpoint_ns = '') as checkpoints,
        min(created_at) as created_at,
        max(created_at) as updated_at,
        max(seq) filter (checkpoint_ns = '') as newest_seq
    from checkpoints
    group by thread_id
),
events as (
    select
        thread_id,
        arg_max(graph, seq) filter (graph is not null) as graph,
        arg_max(head_seq, seq) filter (head_seq is not null and coalesce(checkpoint_ns, '') = '') as head_seq,
        max(seq) filter (head_seq is not null and coalesce(checkpoint_ns, '') = '') as said_seq,
        arg_max(status, seq) filter (status is not null) as status,
        arg_min(forked_from_thread, seq) filter (forked_from_thread is not null) as forked_from_thread,
        arg_min(forked_from_checkpoint, seq) filter (forked_from_checkpoint is not null) as forked_from_checkpoint,
        arg_max(metadata, seq) filter (metadata is not null) as metadata
    from thread_events
    where kind <> 'deleted'
    group by thread_id
),
latest as (
    select thread_id, arg_max(status, seq) as status, arg_max(graph, seq) as graph from runs group by thread_id
)
select
    k.thread_id,
    coalesce(l.graph, e.graph) as graph,
    coalesce(l.status, e.status) as status,
    k.checkpoints,
    h.seq as head_seq,
    h.checkpoint_id as head_checkpoint_id,
    k.created_at,
    k.updated_at,
    e.forked_from_thread,
    e.forked_from_checkpoint,
    e.metadata
from kept k
left join events e on e.thread_id = k.thread_id
left join latest l on l.thread_id = k.thread_id
-- The checkpoint stored last is the head, until an event says otherwise.
left join checkpoints h on h.seq = if(e.said_seq > k.newest_seq, e.head_seq, k.newest_seq);

-- One row a question: interrupt_id, thread_id, checkpoint_ns, checkpoint_id, task_id, node, value, raised_at,
-- answered_at (NULL while open), answer (JSON text), status (open, answered), waited_ms (DOUBLE).
create or replace view interrupts as
select
    r.seq,
    r.interrupt_id,
    r.thread_id,
    r.checkpoint_ns,
    r.checkpoint_id,
    r.task_id,
    r.node,
    r.value,
    r."at" as raised_at,
    a."at" as answered_at,
    a.value as answer,
    case when a.seq is null then 'open' else 'answered' end as status,
    epoch_us(a."at" - r."at") / 1000.0 as waited_ms
from (
    select * from interrupt_events
    where event = 'raised'
    qualify row_number() over (partition by thread_id, checkpoint_ns, checkpoint_id, interrupt_id order by seq) = 1
) r
left join (
    select * from interrupt_events
    where event = 'answered'
    qualify row_number() over (partition by thread_id, checkpoint_ns, checkpoint_id, interrupt_id order by seq desc) = 1
) a
    on a.thread_id = r.thread_id
    and a.checkpoint_ns = r.checkpoint_ns
    and a.checkpoint_id = r.checkpoint_id
    and a.interrupt_id = r.interrupt_id;

-- One row a label, tag, note or bookmark that stands: thread_id, checkpoint_ns, checkpoint_id, kind, text, author,
-- created_at. A checkpoint has one label, one note and one bookmark, and any number of tags.
create or replace view labels as
select seq, thread_id, checkpoint_ns, checkpoint_id, kind, "text", author, created_at
from (
    select * from annotations
    qualify row_number() over (
        partition by thread_id, checkpoint_ns, checkpoint_id, kind, case when kind = 'tag' then "text" end
        order by seq desc
    ) = 1
)
where not coalesce(removed, false);
