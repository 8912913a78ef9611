import type { Machine } from "../api/ui.gen";
import { count, duration, value } from "./format";
import type { Nearness } from "./limits";

/** The name of a machine without its data directory. */
export const machineName = (m: Machine): string => m.id.split(":")[0] || m.id;

/** What part of its disk is full, in percent; undefined where nothing is known of it. */
export const fullDisk = (m: Machine): number | undefined =>
  m.disk_size > 0 ? (1 - m.disk_free / m.disk_size) * 100 : undefined;

/** What part of its memory is used, in percent; undefined where nothing limits it. */
export const fullMemory = (m: Machine): number | undefined =>
  m.memory_limit > 0 ? (m.memory / m.memory_limit) * 100 : undefined;

/** How near a disk is to being full. */
export function diskNear(part: number): Nearness {
  if (part >= 95) return "at";
  return part >= 80 ? "near" : "quiet";
}

/** How many zones the machines say that they are in. */
export const zones = (list: Machine[]): number => new Set(list.map((m) => m.zone).filter(Boolean)).size;

/** The machine that answers queries slowest, of those that were asked; undefined if none was. */
export const slowest = (list: Machine[]): Machine | undefined =>
  list.filter((m) => m.queries > 0).sort((a, b) => b.query_p95 - a.query_p95)[0];

/** The ends of the scale of how late alerts are, in seconds: each step is ten times the one before. */
export const behindScale = { from: 0.1, to: 1000 };

/** Where a number of seconds is on that scale, from 0 to 1. */
export function behindAt(seconds: number): number {
  const { from, to } = behindScale;
  return Math.log(Math.min(to, Math.max(from, seconds)) / from) / Math.log(to / from);
}

/** A time of mostly less than a second: the number and its unit. */
export const inUnit = (seconds: number): [number, string] => (seconds < 1 ? [1000 * seconds, "ms"] : [seconds, "s"]);

/** The same in words. */
export const shortTime = (seconds: number): string => value(...inUnit(seconds));

/** More seconds than this are late. */
export const muchBehind = 30;

/** What an operator should know first, in a sentence; undefined if all is well. */
export function machineNotice(list: Machine[]): { title: string; text: string } | undefined {
  const gone = list.filter((m) => m.state === "gone");
  const first = gone[0];
  if (first) {
    const others = list.length - gone.length;
    const text = others > 0 ? "What it did for all moved to the others." : "Nobody does what it did.";
    return {
      title: `${machineName(first)} is silent for ${duration(first.heartbeat)}.`,
      text: `${text} Start it again, or leave it: it is forgotten after a day.`,
    };
  }
  const behind = list.find((m) => m.behind > muchBehind);
  if (behind)
    return {
      title: `Alerts are evaluated ${duration(Math.round(behind.behind))} late.`,
      text: `${machineName(behind)} does not keep up. Nothing is lost; notifications come late.`,
    };
  const full = list.find((m) => (fullDisk(m) ?? 0) >= 80);
  if (full)
    return {
      title: `The disk of ${machineName(full)} is nearly full.`,
      text: "Measurements are refused before it is.",
    };
  const versions = new Set(list.map((m) => m.version));
  if (versions.size > 1)
    return {
      title: `${count(versions.size, "version")} run side by side.`,
      text: "Start the older ones again to end the upgrade.",
    };
  return undefined;
}
