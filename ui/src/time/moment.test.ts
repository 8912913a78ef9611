import { describe, expect, test } from "vitest";
import { clockSeconds, day, dayAndClock, weekdayAndClock } from "../lib/format";
import { momentOf, parseMoment } from "./moment";
import { atWall } from "./wall";

const who = { locale: "en-GB", zone: "Europe/Berlin" };
const now = Date.UTC(2026, 10, 15, 13, 32, 5) / 1000; // Sunday 14:32:05 in Berlin
const berlin = (mo: number, d: number, h: number, mi = 0, y = 2026) => Date.UTC(y, mo - 1, d, h - 1, mi) / 1000; // winter

describe("what people type", () => {
  test.each([
    ["-36h", now - 36 * 3600],
    ["36h", now - 36 * 3600],
    ["-90 d", now - 90 * 86400],
    ["-1y", now - 365 * 86400],
    ["", now],
    ["now", now],
    ["1763000000", 1763000000],
    ["mon 9:00", berlin(11, 9, 9)],
    ["mon 9", berlin(11, 9, 9)],
    ["Monday, 9:00", berlin(11, 9, 9)],
    ["sun 9:00", berlin(11, 15, 9)],
    ["today", berlin(11, 15, 0)],
    ["yesterday 18:30", berlin(11, 14, 18, 30)],
    ["9 Nov 2026, 08:00", berlin(11, 9, 8)],
    ["9 November 2026 8:00 pm", berlin(11, 9, 20)],
    ["Nov 9th, 2026 at 08:00", berlin(11, 9, 8)],
    ["Mon 9 Nov, 08:00", berlin(11, 9, 8)],
    ["9 nov", berlin(11, 9, 0)],
    ["Nov 2026", berlin(11, 1, 0)],
    ["9/11/2026", berlin(11, 9, 0)],
    ["9/11/26 8:00", berlin(11, 9, 8)],
    ["9.11., 8:00", berlin(11, 9, 8)],
    ["2026-11-09 08:00", berlin(11, 9, 8)],
    ["2026-11-09T08:00", berlin(11, 9, 8)],
    ["2026-11-09T08:00Z", berlin(11, 9, 9)],
    ["2026-11-09 08:00:30+02:00", berlin(11, 9, 7) + 30],
    ["2026-11-09", berlin(11, 9, 0)],
    ["9:15", berlin(11, 15, 9, 15)],
    ["15h30", berlin(11, 15, 15, 30)],
    ["3pm", berlin(11, 15, 15)],
    ["12 am", berlin(11, 15, 0)],
    ["8", berlin(11, 15, 8)],
  ])("%s", (text, want) => expect(parseMoment(text, now, who)).toBe(want));

  test.each([
    "someday",
    "32 foo",
    "25:00",
    "9:75",
    "13 am",
    "2026-13-01",
    "31 Feb 2026",
    "29 Feb 2026",
    "--3h",
    "9 Nov 2026 08:00 $",
    "9 Nov 2026 08:00 tomorrow",
    "nov",
    "1 2 3 4",
  ])("%s is not a time", (text) => expect(parseMoment(text, now, who)).toBeUndefined());

  test("the order of digits is the locale's", () => {
    expect(parseMoment("9/11/2026", now, { ...who, locale: "en-US" })).toBe(atWall(2026, 9, 11, 0, who.zone));
    expect(parseMoment("11/9", now, { ...who, locale: "en-US" })).toBe(berlin(11, 9, 0));
    expect(parseMoment("9.11.", now, { ...who, locale: "de-DE" })).toBe(berlin(11, 9, 0));
  });

  test("names of the locale, and English ones everywhere", () => {
    const de = { ...who, locale: "de-DE" };
    expect(parseMoment("Mo 9:00", now, de)).toBe(berlin(11, 9, 9));
    expect(parseMoment("gestern 18:30", now, de)).toBe(berlin(11, 14, 18, 30));
    expect(parseMoment("9. März", now, de)).toBe(berlin(3, 9, 0));
    expect(parseMoment("9 Dec 2025", now, de)).toBe(berlin(12, 9, 0, 0, 2025));
    expect(parseMoment("9 Dez 2025", now, de)).toBe(berlin(12, 9, 0, 0, 2025));
    // "mar" is both Tuesday and March in Spanish.
    const es = { ...who, locale: "es-ES" };
    expect(parseMoment("mar 9:00", now, es)).toBe(berlin(11, 10, 9));
    expect(parseMoment("mar 10 nov, 9:00", now, es)).toBe(berlin(11, 10, 9));
    expect(parseMoment("10 mar 2026", now, es)).toBe(berlin(3, 10, 0));
  });

  test("without a year it is the last such day", () => {
    expect(parseMoment("16 Nov", now, who)).toBe(berlin(11, 16, 0, 0, 2025));
    expect(parseMoment("15 Nov, 23:00", now, who)).toBe(berlin(11, 15, 23));
    expect(parseMoment("29 Feb", now, who)).toBe(berlin(2, 29, 0, 0, 2024));
  });
});

const locales = ["en-US", "en-GB", "en-CA", "de-DE", "ja-JP", "zh-CN", "pt-BR", "ar-EG", "fr-FR", "ru-RU", "hi-IN"];
const others =
  "en-AU en-IN de-AT zh-TW zh-HK pt-PT ar-SA fa-IR th-TH fr-CA es-ES es-MX ko-KR fi-FI da-DK id-ID vi-VN cs-CZ sk-SK " +
  "hu-HU lv-LV lt-LT et-EE eu-ES bg-BG my-MM bn-BD mr-IN ne-NP he-IL tr-TR el-GR sv-SE nb-NO nl-NL it-IT pl-PL ro-RO " +
  "uk-UA sl-SI hr-HR sr-RS is-IS ka-GE hy-AM az-AZ kk-KZ uz-UZ mn-MN am-ET km-KH lo-LA si-LK ta-IN te-IN kn-IN ml-IN " +
  "gu-IN pa-IN ur-PK ps-AF ckb-IQ sw-KE af-ZA fil-PH ms-MY ga-IE";
const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Africa/Cairo",
];
const year = Array.from({ length: 365 }, (_, d) => Date.UTC(2026, 0, 1 + d, (d * 7) % 24, (d * 13) % 60) / 1000);
const later = Date.UTC(2026, 11, 31, 22) / 1000;

/** The times of a year that are not read back as they were written. */
function lost(locale: string, zone: string, write: (at: number, v: typeof who) => string, grid = 60): string[] {
  const v = { locale, zone };
  return year
    .map((t) => Math.floor(t / grid) * grid)
    .filter((t) => {
      const text = write(t, v);
      const back = parseMoment(text, later, v);
      // An hour that comes twice has one text.
      return back !== t && (back === undefined || write(back, v) !== text || Math.abs(back - t) > 3600);
    })
    .map((t) => `${write(t, v)} (${new Date(t * 1000).toISOString()})`);
}

describe("what the interface writes is read back, every day of a year", () => {
  test.each(locales)("%s in every zone", (locale) => {
    for (const zone of zones) expect(lost(locale, zone, dayAndClock)).toEqual([]);
  });

  test.each([...locales, ...others.split(" ")])("%s with seconds", (locale) =>
    expect(lost(locale, "Asia/Kolkata", (t, v) => `${day(t, v)}, ${clockSeconds(t, v)}`, 7)).toEqual([]),
  );

  test.each(["en-US", "en-GB", "de-DE", "ja-JP", "pt-BR", "ar-EG", "fr-FR", "ru-RU"])("%s, with a weekday", (locale) =>
    expect(lost(locale, "Europe/Berlin", weekdayAndClock)).toEqual([]),
  );
});

describe("when the clock changes", () => {
  test("an hour that is left out is as much later", () => {
    expect(parseMoment("29 Mar 2026, 02:30", now, who)).toBe(Date.UTC(2026, 2, 29, 1, 30) / 1000); // 03:30
    const ny = { locale: "en-US", zone: "America/New_York" };
    expect(parseMoment("Mar 8, 2026, 02:30 AM", now, ny)).toBe(Date.UTC(2026, 2, 8, 7, 30) / 1000); // 03:30
    const cairo = { locale: "ar-EG", zone: "Africa/Cairo" };
    expect(parseMoment("24 Apr 2026", now, cairo)).toBe(Date.UTC(2026, 3, 23, 22) / 1000); // 01:00: there is no midnight
  });

  test("an hour that comes twice is the first, unless the field was written for the second", () => {
    const first = Date.UTC(2026, 9, 25, 0, 30) / 1000;
    const second = first + 3600;
    const text = dayAndClock(second, who);
    expect(dayAndClock(first, who)).toBe(text);
    expect(parseMoment(text, now, who)).toBe(first);
    expect(momentOf(text, second, now, who)).toBe(second);
    expect(momentOf("9:00", second, now, who)).toBe(berlin(11, 15, 9));
    const ny = { locale: "en-US", zone: "America/New_York" };
    expect(parseMoment("Nov 1, 2026, 01:30 AM", now, ny)).toBe(Date.UTC(2026, 10, 1, 5, 30) / 1000);
  });

  test("summer and winter", () => {
    expect(atWall(2026, 7, 1, 12 * 3600, "Europe/Berlin")).toBe(Date.UTC(2026, 6, 1, 10) / 1000);
    expect(atWall(2026, 12, 1, 12 * 3600, "Europe/Berlin")).toBe(Date.UTC(2026, 11, 1, 11) / 1000);
  });
});
