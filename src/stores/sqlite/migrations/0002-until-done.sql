-- What is said until it is done, as people query it who know the names of the first reminders. Times are text in
-- UTC. Nothing of ours reads these, and nothing can be written through them.

create view alarm as
select
  r.uid as id,
  json_extract(r.body, '$.about.page') as page_id,
  r.owner as user_id,
  substr(coalesce(json_extract(p.body, '$.title'), json_extract(r.body, '$.about.text'), ''), 1, 2000) as title,
  substr(coalesce(json_extract(p.body, '$.body'), ''), 1, 2000) as body,
  -- A plan for an older asking is not followed any more.
  case when r.state = 'active' then strftime('%Y-%m-%dT%H:%M:%fZ', case
    when json_extract(r.outcome, '$.asked') = json_extract(r.body, '$.asked')
    then json_extract(r.outcome, '$.nextAt') else json_extract(r.body, '$.at') end / 1000.0, 'unixepoch') end
    as next_alarm_time,
  coalesce(json_extract(r.outcome, '$.count'), 1) as sent_count,
  json_extract(r.outcome, '$.lastReceiptId') as last_notification_id,
  strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(d.claimed_at, s.created_at) / 1000.0, 'unixepoch') as processed_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') as created_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.updated_at / 1000.0, 'unixepoch') as updated_at
from record r
left join due d on d.id = r.id
left join record p on p.uid = r.parent and p.kind = 'page'
left join record s on s.uid = json_extract(r.outcome, '$.saying') and s.ended_at is null
where r.kind = 'nag' and r.ended_at is null and r.cancelling = 0
  and json_extract(r.body, '$.isDone') is null;

create view user_info as
select
  u.owner as user_id,
  coalesce(max(json_extract(r.body, '$.timezone')), 'Asia/Seoul') as timezone
from (select distinct owner from record where kind in ('profile', 'page', 'nag')) u
left join record r on r.owner = u.owner and r.kind = 'profile' and r.ended_at is null
group by u.owner;
