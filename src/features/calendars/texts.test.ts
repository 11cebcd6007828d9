import { testTexts } from "../../testing/text-samples.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

const planned = { do: "create", why: "new", title: "T", record: "R" };

testTexts(
  { en, ko },
  {
    none: [],
    created: [{ id: "ID", name: "N", url: "https://a.example/x.ics", kind: "ics" }],
    connectPage: [{ url: "https://a.example/" }],
    connected: [{ id: "ID", place: "P", renewed: false, granted: ["G"] }],
    shows: [{ shows: "notifications", edits: true, busy: true }],
    synced: [{ created: 1, updated: 2, deleted: 3, unchanged: 4, failed: 5 }],
    confirmed: [{ name: "N", removals: 4 }],
    deleted: [{ name: "N", isLeaving: true }],
    plan: [{ id: "ID", changes: [planned], unchanged: 3, brake: { removals: 4, entries: 5 } }],
    notices: {
      heading: [{ name: "N" }],
      brake: [{ id: "ID", removals: 4, entries: 5 }],
      conflict: [{ title: "T", seen: "S", isRemoved: false }],
      refused: [{ title: "T", reason: "R" }],
      unreachable: [{ id: "ID", reason: "R" }],
      more: [4],
    },
  },
);
