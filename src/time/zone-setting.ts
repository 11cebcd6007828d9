import * as z from "zod";
import { isZone } from "./zone.ts";

export const zone = z.string().refine(isZone);
export const zoneForm = 'a time zone like "Asia/Seoul"';
