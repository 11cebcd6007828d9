import { calendarSuite } from "../../testing/calendars/suite.ts";
import { memoryRig } from "../../testing/calendars/memory-calendar.ts";

calendarSuite(memoryRig());
