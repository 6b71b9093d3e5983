-- The state at a checkpoint, whole: lists and maps that grew are put together from what was added.

-- Channels the engine keeps for itself. No IN: its join would keep filters from reaching the tables.
create or replace macro is_reserved(name) as
    list_contains(['__error__', '__interrupt__', '__answer__', '__route__', '__join__', '__run__'], name);

-- A mapping's JSON text as MAP: key to value, both JSON text. Keys that are no text come as tagged pairs.
create or replace macro map_of(value) as
    case when starts_with(value, '{"$w":')
        then map_from_entries(
            list_transform(json_extract(value, '$.v[*]'), lambda p: {'k': (p->0)::varchar, 'v': (p->1)::varchar})
        )
        else map_from_entries(
            list_transform(json_keys(value), lambda k: {
                'k': to_json(k)::varchar,
                'v': json_extract(value, '$."' || replace(replace(k, '\', '\\'), '"', '\"') || '"')::varchar
            })
        )
    end;

-- The JSON text of such a MAP.
create or replace macro map_text(pairs) as
    case when len(list_filter(map_keys(pairs), lambda k: not starts_with(k, '"'))) = 0
        then '{' || array_to_string(list_transform(map_entries(pairs), lambda e: e.key || ':' || e.value), ',') || '}'
        else '{"$w":"dict","v":['
            || array_to_string(
                list_transform(map_entries(pairs), lambda e: '[' || e.key || ',' || e.value || ']'), ','
            )
            || ']}'
    end;

-- The value that a row of channel_values stands for, as JSON text; NULL for an unknown one.
create or replace macro whole_value(value_seq, of_channel) as (
    -- Arguments are bound where no table is in sight: a macro's text would take a column of the same name instead.
    with recursive args as (select value_seq as arg_seq, of_channel as arg_channel),
    chain as (
        select v.channel, v.op, v.base_seq, v.value, 0 as back
        from args
        join channel_values v on v.seq = args.arg_seq and v.channel = args.arg_channel
        union all
        select v.channel, v.op, v.base_seq, v.value, c.back + 1
        from chain c
        join channel_values v on v.seq = c.base_seq and v.channel = c.channel
        where c.op <> 'set'
    )
    select case arg_min(op, back)
        when 'set' then arg_min(value, back)
        when 'append' then
            '[' || coalesce(string_agg(nullif(value[2:-2], ''), ',' order by back desc), '') || ']'
        when 'merge' then
            map_text(list_reduce(
                list_transform(list(value order by back desc), lambda t: map_of(t)), lambda a, b: map_concat(a, b)
            ))
    end
    from chain
);

-- Where each value is: checkpoint_seq, channel, value_seq. Channels the engine keeps for itself are left out.
create or replace view value_places as
select c.seq as checkpoint_seq, e.key as channel, cast(e.value as bigint) as value_seq
from checkpoints c, json_each(c.value_seqs) e
where not is_reserved(e.key);

-- The seq of a checkpoint, by which the macros below take it.
create or replace macro ref(thread, checkpoint_id, ns := '') as (
    with args as (select thread as arg_thread, checkpoint_id as arg_id, ns as arg_ns)
    select max(c.seq)
    from checkpoints c
    join args on c.thread_id = args.arg_thread and c.checkpoint_id = args.arg_id and c.checkpoint_ns = args.arg_ns
);

-- One row a checkpoint and channel: seq, thread_id, checkpoint_ns, checkpoint_id, step, channel, value (JSON text,
-- whole), type, set_seq, set_at (TIMESTAMPTZ), set_by (id of the checkpoint that changed it last).
create or replace view state_long as
select
    c.seq,
    c.thread_id,
    c.checkpoint_ns,
    c.checkpoint_id,
    c.step,
    p.channel,
    case when v.op = 'set' then v.value
        else whole_value(case when v.op <> 'set' then v.seq end, case when v.op <> 'set' then v.channel end)
    end as value,
    v.type,
    v.seq as set_seq,
    b.created_at as set_at,
    v.checkpoint_id as set_by
from checkpoints c
join value_places p on p.checkpoint_seq = c.seq
join channel_values v on v.seq = p.value_seq and v.channel = p.channel
left join checkpoints b
    on b.thread_id = v.thread_id and b.checkpoint_ns = v.checkpoint_ns and b.checkpoint_id = v.checkpoint_id;

-- The state at a checkpoint: channel, value (JSON text, whole), type, set_seq, set_by.
create or replace macro state_at(seq) as table
    with args as (select seq as arg_seq)
    select
        v.channel,
        case when v.op = 'set' then v.value
            else whole_value(case when v.op <> 'set' then v.seq end, case when v.op <> 'set' then v.channel end)
        end as value,
        v.type,
        v.seq as set_seq,
        v.checkpoint_id as set_by
    from args
    join checkpoints c on c.seq = args.arg_seq, json_each(c.value_seqs) e
    join channel_values v on v.seq = cast(e.value as bigint) and v.channel = e.key
    where not is_reserved(v.channel)
    order by v.channel;

-- A checkpoint and its ancestors, newest first: depth (0 is itself) and the columns of checkpoints. Stretches in which
-- each follows the one before are taken at once, so that a step costs nothing and only a fork a round.
create or replace macro lineage(seq) as table
    with recursive args as (select seq as arg_seq),
    place as (
        select c.thread_id, c.checkpoint_ns from checkpoints c join args on c.seq = args.arg_seq
    ),
    own as (
        select c.seq, c.checkpoint_id, c.parent_checkpoint_id, lag(c.checkpoint_id) over (order by c.seq) as before_id
        from checkpoints c
        join place on place.thread_id = c.thread_id and place.checkpoint_ns = c.checkpoint_ns
    ),
    stretched as (
        select
            o.*,
            o.parent_checkpoint_id is distinct from o.before_id or o.before_id is null as begins,
            sum(case when o.parent_checkpoint_id = o.before_id then 0 else 1 end) over (order by o.seq) as stretch
        from own o
    ),
    starts as (
        select s.stretch, s.parent_checkpoint_id as above_id from stretched s where s.begins
    ),
    walk as (
        select s.stretch, s.seq as newest from stretched s join args on s.seq = args.arg_seq
        union all
        select s.stretch, s.seq
        from walk w
        join starts b on b.stretch = w.stretch
        join stretched s on s.checkpoint_id = b.above_id and s.stretch <> w.stretch
    )
    select row_number() over (order by c.seq desc) - 1 as depth, c.*
    from walk w
    join stretched s on s.stretch = w.stretch and s.seq <= w.newest
    join checkpoints c on c.seq = s.seq
    order by c.seq desc;

-- Who wrote what a channel holds at a checkpoint: channel, value (JSON text), op, set_seq, checkpoint_id, nodes, run_id,
-- step, created_at. For a list that grew, the one who wrote its last elements.
create or replace macro who_set(seq, channel) as table
    with args as (select seq as arg_seq, channel as arg_channel)
    select
        v.channel,
        whole_value(v.seq, v.channel) as value,
        v.op,
        v.seq as set_seq,
        c.checkpoint_id,
        c.nodes,
        c.run_id,
        c.step,
        c.created_at
    from args
    join value_places p on p.checkpoint_seq = args.arg_seq and p.channel = args.arg_channel
    join channel_values v on v.seq = p.value_seq
    join checkpoints c
        on c.thread_id = v.thread_id and c.checkpoint_ns = v.checkpoint_ns and c.checkpoint_id = v.checkpoint_id;

-- Channels in which two checkpoints differ: channel, before, after (JSON text, NULL where there is none).
create or replace macro diff_states(a, b) as table
    with args as (select a as arg_a, b as arg_b),
    first_places as (select p.* from value_places p join args on p.checkpoint_seq = args.arg_a),
    second_places as (select p.* from value_places p join args on p.checkpoint_seq = args.arg_b),
    both_sides as (
        select
            coalesce(x.channel, y.channel) as channel,
            whole_value(x.value_seq, x.channel) as before,
            whole_value(y.value_seq, y.channel) as after
        from first_places x
        full join second_places y on y.channel = x.channel
        where x.value_seq is distinct from y.value_seq
    )
    select s.channel, s.before, s.after from both_sides s where s.before is distinct from s.after order by s.channel;
