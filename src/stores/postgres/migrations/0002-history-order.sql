-- Nobody looks a change up by its seq alone: it is read by owner in the order of (xid, seq), or by record.
-- The index of the primary key was a third one to write with every change.
alter table daybook.history drop constraint history_pkey;
