-- What is said until it is done, as people query it who know the names of the first reminders. Nothing of ours
-- reads these views, and nothing can be written through them.

-- JSON has characters that no text here has: they are left out, so that one row does not spoil the others.
create function daybook.plain_json(body text) returns json language sql immutable parallel safe as $$
  select regexp_replace(body, '(?<!\\)((?:\\\\)*)\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\1', 'g')::json
$$;

create function daybook.time_of(ms text) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(ms::bigint / 1000.0)
$$;

create view daybook.alarm as
select
  r.uid as id,
  r.asked -> 'about' ->> 'page' as page_id,
  r.owner as user_id,
  left(coalesce(p.words ->> 'title', r.asked -> 'about' ->> 'text', ''), 2000) as title,
  left(coalesce(p.words ->> 'body', ''), 2000) as body,
  -- A plan for an older asking is not followed any more.
  case when r.state = 'active' then daybook.time_of(case
    when r.seen ->> 'asked' = r.asked ->> 'asked' then r.seen ->> 'nextAt' else r.asked ->> 'at' end) end
    as next_alarm_time,
  coalesce((r.seen ->> 'count')::integer, 1) as sent_count,
  r.seen ->> 'lastReceiptId' as last_notification_id,
  daybook.time_of(coalesce(d.claimed_at, s.created_at)::text) as processed_at,
  daybook.time_of(r.created_at::text) as created_at,
  daybook.time_of(r.updated_at::text) as updated_at
from (
  select n.id, n.uid, n.owner, n.parent, n.state, n.created_at, n.updated_at,
    daybook.plain_json(n.body) as asked, daybook.plain_json(n.outcome) as seen
  from daybook.record n where n.kind = 'nag' and n.ended_at is null and not n.cancelling
) r
left join daybook.due d on d.id = r.id
left join lateral (
  select daybook.plain_json(w.body) as words from daybook.record w where w.uid = r.parent and w.kind = 'page'
) p on true
left join daybook.record s on s.uid = r.seen ->> 'saying' and s.ended_at is null
where r.asked ->> 'isDone' is null;

create view daybook.user_info as
select
  u.owner as user_id,
  coalesce(max(daybook.plain_json(r.body) ->> 'timezone'), 'Asia/Seoul') as timezone
from (select distinct owner from daybook.record where kind in ('profile', 'page', 'nag')) u
left join daybook.record r on r.owner = u.owner and r.kind = 'profile' and r.ended_at is null
group by u.owner;
