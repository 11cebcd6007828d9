import { memoryRig } from "../../testing/calendars/memory-calendar.ts";
import { calendarSuite } from "../../testing/calendars/suite.ts";

calendarSuite(memoryRig());
