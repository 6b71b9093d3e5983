-- The usual questions about steps, nodes and edges.

-- Attempts with the checkpoint their step produced (NULL while it is open): the columns of tasks and produced_id. A
-- task that ended before its siblings was stored before that checkpoint existed.
create or replace view attempts as
select t.*, coalesce(t.checkpoint_id, c.checkpoint_id) as produced_id
from tasks t
left join checkpoints c
    on t.checkpoint_id is null
    and c.thread_id = t.thread_id
    and c.checkpoint_ns = t.checkpoint_ns
    and c.parent_checkpoint_id = t.input_checkpoint_id
    and c.run_id = t.run_id
    and c.source = 'loop';

-- One row a checkpoint: seq, thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, step, source, branch, run_id,
-- nodes (who produced it), next, changed (VARCHAR[]), created_at, duration_ms (its longest task), has_error (an attempt
-- failed in the step that starts here), has_question, label, tags (VARCHAR[]), state_bytes, state_hash, def_hash, copied.
create or replace view timeline as
with spent as (
    select thread_id, checkpoint_ns, produced_id, max(duration_ms) as duration_ms
    from attempts
    where produced_id is not null
    group by all
),
ended as (
    select
        thread_id,
        checkpoint_ns,
        input_checkpoint_id,
        bool_or(status = 'error') as has_error,
        bool_or(status = 'interrupted') as has_question
    from tasks
    group by all
),
noted as (
    select
        thread_id,
        checkpoint_ns,
        checkpoint_id,
        any_value("text") filter (kind = 'label') as label,
        list("text" order by seq) filter (kind = 'tag') as tags
    from labels
    group by all
)
select
    c.seq,
    c.thread_id,
    c.checkpoint_ns,
    c.checkpoint_id,
    c.parent_checkpoint_id,
    c.step,
    c.source,
    c.branch,
    c.run_id,
    c.nodes,
    c.next,
    c.changed,
    c.created_at,
    s.duration_ms,
    coalesce(e.has_error, false) as has_error,
    coalesce(e.has_question, false) as has_question,
    n.label,
    coalesce(n.tags, []) as tags,
    c.state_bytes,
    c.state_hash,
    c.def_hash,
    c.copied_from_seq is not null as copied
from checkpoints c
left join spent s
    on s.thread_id = c.thread_id and s.checkpoint_ns = c.checkpoint_ns and s.produced_id = c.checkpoint_id
left join ended e
    on e.thread_id = c.thread_id and e.checkpoint_ns = c.checkpoint_ns and e.input_checkpoint_id = c.checkpoint_id
left join noted n
    on n.thread_id = c.thread_id and n.checkpoint_ns = c.checkpoint_ns and n.checkpoint_id = c.checkpoint_id;

-- One row a checkpoint and changed channel: seq, thread_id, checkpoint_ns, checkpoint_id, step, nodes, channel, op (set,
-- append, merge, remove), added (JSON text: what an append or merge brought), before, after (JSON text, whole: ask for
-- them with a filter, since a list that grew is put together for every row), dbytes (BIGINT).
create or replace view diffs as
select
    seq,
    thread_id,
    checkpoint_ns,
    checkpoint_id,
    step,
    nodes,
    channel,
    coalesce(new_op, 'remove') as op,
    added,
    case when old_op = 'set' then old_value
        else whole_value(case when old_op <> 'set' then old_seq end, case when old_op <> 'set' then channel end)
    end as before,
    after,
    dbytes
from (
    select
        *,
        case when new_op = 'set' then new_value
            else whole_value(case when new_op <> 'set' then new_seq end, case when new_op <> 'set' then channel end)
        end as after
    from (
        select
            c.*,
            v.seq as new_seq,
            v.op as new_op,
            v.value as new_value,
            case when v.op in ('append', 'merge') then v.value end as added,
            case when v.op in ('append', 'merge') then v.nbytes else coalesce(v.nbytes, 0) - coalesce(w.nbytes, 0) end
                as dbytes,
            w.seq as old_seq,
            w.op as old_op,
            w.value as old_value
        from (
            select
                seq, thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, step, nodes,
                unnest(list_filter(changed, lambda name: not is_reserved(name))) as channel
            from checkpoints
        ) c
        left join value_places a on a.checkpoint_seq = c.seq and a.channel = c.channel
        left join channel_values v on v.seq = a.value_seq
        left join checkpoints p
            on p.thread_id = c.thread_id
            and p.checkpoint_ns = c.checkpoint_ns
            and p.checkpoint_id = c.parent_checkpoint_id
        left join value_places b on b.checkpoint_seq = p.seq and b.channel = c.channel
        left join channel_values w on w.seq = b.value_seq
    )
);

-- One row a thread, namespace and node: attempts, errors, interrupted (BIGINT), p50_ms, p95_ms, max_ms, total_ms (DOUBLE).
create or replace view node_stats as
select
    thread_id,
    checkpoint_ns,
    node,
    count(*) as attempts,
    count(*) filter (status = 'error') as errors,
    count(*) filter (status = 'interrupted') as interrupted,
    quantile_cont(duration_ms, 0.5) as p50_ms,
    quantile_cont(duration_ms, 0.95) as p95_ms,
    max(duration_ms) as max_ms,
    sum(duration_ms) as total_ms
from tasks
group by all;

-- One row a thread, namespace and edge that led to work: from_node, to_node, times (BIGINT; a task counts once, however
-- often it was tried).
create or replace view edges_taken as
select thread_id, checkpoint_ns, from_node, node as to_node, count(distinct task_id) as times
from (select thread_id, checkpoint_ns, unnest(triggered_by) as from_node, node, task_id from tasks)
group by all;

-- One row a tip, that is a checkpoint without children: thread_id, checkpoint_ns, checkpoint_id (the
-- tip), seq, step, branch, source, is_head, forked_at (id of the nearest ancestor with several children).
create or replace view branches as
with recursive children as (
    select thread_id, checkpoint_ns, parent_checkpoint_id as checkpoint_id, count(*) as n
    from checkpoints
    where parent_checkpoint_id is not null
    group by all
),
tips as (
    select c.* from checkpoints c anti join children k using (thread_id, checkpoint_ns, checkpoint_id)
),
forks as (
    select c.thread_id, c.checkpoint_ns, c.checkpoint_id, c.seq
    from checkpoints c join children k using (thread_id, checkpoint_ns, checkpoint_id) where k.n > 1
),
-- Checkpoints at which a stretch without forks begins, each with the fork it hangs on.
firsts as (
    select
        c.thread_id,
        c.checkpoint_ns,
        c.seq,
        c.checkpoint_id,
        c.parent_checkpoint_id as forked_at
    from checkpoints c
    join forks f on f.thread_id = c.thread_id and f.checkpoint_ns = c.checkpoint_ns
        and f.checkpoint_id = c.parent_checkpoint_id
),
walk as (
    select t.thread_id, t.checkpoint_ns, t.checkpoint_id as tip, t.checkpoint_id as at_id from tips t
    where exists (select 1 from forks f where f.thread_id = t.thread_id and f.checkpoint_ns = t.checkpoint_ns)
    union all
    select w.thread_id, w.checkpoint_ns, w.tip, c.parent_checkpoint_id
    from walk w
    join checkpoints c
        on c.thread_id = w.thread_id and c.checkpoint_ns = w.checkpoint_ns and c.checkpoint_id = w.at_id
    where c.parent_checkpoint_id is not null
        and not exists (
            select 1 from firsts f
            where f.thread_id = w.thread_id and f.checkpoint_ns = w.checkpoint_ns and f.checkpoint_id = w.at_id
        )
),
found as (
    select w.thread_id, w.checkpoint_ns, w.tip, f.forked_at
    from walk w
    join firsts f on f.thread_id = w.thread_id and f.checkpoint_ns = w.checkpoint_ns and f.checkpoint_id = w.at_id
)
select
    t.thread_id,
    t.checkpoint_ns,
    t.checkpoint_id,
    t.seq,
    t.step,
    t.branch,
    t.source,
    coalesce(h.head_seq = t.seq, false) as is_head,
    f.forked_at
from tips t
left join found f on f.thread_id = t.thread_id and f.checkpoint_ns = t.checkpoint_ns and f.tip = t.checkpoint_id
left join threads h on h.thread_id = t.thread_id and t.checkpoint_ns = '';
