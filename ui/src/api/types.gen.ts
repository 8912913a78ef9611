// Made by npm run types from docs/openapi.yaml. Do not edit.

/** An OpenAPI document */
export type Document = {
  /** Its version */
  openapi: string;
  /** What the API is called */
  info: Record<string, unknown>;
  /** Every endpoint */
  paths: Record<string, unknown>;
  /** What they share */
  components: Record<string, unknown>;
};

/** What is wrong. Most answers have `errors` with `params` (by field), `request` or `system`; POST /v1/measurements has a list, or a `message`; a limit has an `error`. */
export type Error = unknown;

/** One or more sentences */
export type Messages = string[];

/** Where in the list the page is */
export type Query = {
  /** How many match the filter */
  found: number;
  /** How many are on this page; 0 past the end */
  length: number;
  /** How many come before this page */
  offset: number;
  /** How many there are in all */
  total: number;
};

export type Tag = {
  /** Of the tag */
  name: string;
  /** Patterns with *; one that starts with ! is for anything else; none means that the tag is there */
  values?: string[];
  /** Whether streams are taken together by the values of this tag */
  grouped?: boolean;
  /** Whether the page chooses the values */
  dynamic?: boolean;
};

export type Condition = {
  /** Of the condition, also in webhooks */
  id: number;
  /** Which side of the threshold is wrong, or silence */
  type: "above" | "below" | "absent";
  /** A metric that exists */
  metric_name: string;
  /** A pattern, of old alerts */
  source: string | null;
  /** Of above and below */
  threshold?: number;
  /** Seconds for which every sample must be on the wrong side, or none come */
  duration?: number;
  /** What of the samples is looked at; average if left out */
  summary_function?: string;
  /** With derivative: a drop counts as 0; left out elsewhere */
  detect_reset?: boolean;
  against?: Against;
  /** Which streams */
  tags: Tag[];
};

export type Against = {
  /** The reading some days before, what is usual at this hour, the reading a while before, an error budget; none, in changes alone, takes it away */
  kind: "past" | "band" | "change" | "budget" | "none";
  /** Seconds: how long ago the past is, over how long a change is measured, the longer window of a budget */
  period?: number;
  /** Of past and change: the threshold is a difference, not a percentage */
  absolute?: boolean;
  /** Of a band: of how many weeks it is learned, 2 to 8; 6 if left out */
  weeks?: number;
  /** Of a band: hour_of_week if left out */
  by?: "hour_of_week" | "hour_of_day";
  /** Of a band: how far from the usual value a reading must be in any case */
  least?: number;
  /** Of a band: both sides are wrong, not that of type alone */
  both?: boolean;
  /** Of a band: days such as 2026-12-24 that nothing is learned from */
  unusual_days?: string[];
  /** Of a band: by whose clocks those days begin and end, such as Europe/Berlin; UTC if left out */
  zone?: string;
  /** Of a budget: the metric that counts what was good of metric_name */
  good_metric?: string;
  /** Of a budget: how many percent are to be good */
  objective?: number;
  /** Of a budget, instead of good_metric: values of the distribution metric_name are good up to this */
  below?: number;
  /** Of a budget: what was counted in maintenance windows that cover the alert is left out */
  without_maintenance?: boolean;
};

export type Violation = {
  /** Its tags, as "a=1,b=2" */
  stream: string;
  /** Of the stream */
  metric: string;
  /** Of a stream that is absent, its last */
  value: number;
  /** When the value was recorded */
  recorded_at: number;
  /** The id of the condition */
  condition_violated: number;
  /** When it began */
  since: number;
  /** When the last such sample came */
  seen_at: number;
  /** Samples in the window */
  count?: number;
  /** Of the window */
  begin?: number;
  /** Of the window */
  end?: number;
};

export type Incident = {
  /** Of the incident */
  id: number;
  /** Whose it is */
  alert_id: number;
  /** What services know it by */
  incident_key: string;
  /** When it began */
  triggered_at: number;
  /** When it ended; null while it goes on */
  cleared_at: number | null;
  /** Why it ended */
  clear: "normal" | "manual" | "auto" | "edited" | "inactive" | null;
  /** Who ended it by hand */
  cleared_by: string | null;
  /** The worst value of any stream */
  peak: number | null;
  /** All streams that took part, each with its worst value */
  violations: Violation[];
  /** Who acknowledged it, and comments; left out where there are none */
  notes?: IncidentNote[];
};

export type Changes = {
  /** Those that changed most, best fit first */
  changes: ChangedStream[];
  /** How many streams changed */
  found: number;
  /** How many were compared */
  streams: number;
  /** How many have too few points to compare */
  sparse: number;
  /** What ended the comparison before its end */
  cut: "" | "streams" | "points" | "time";
  /** Seconds that a point stands for */
  resolution: number;
  /** From an hour before the range until its end, latest first */
  saves: Save[];
};

export type ChangedStream = {
  /** Its name */
  metric: string;
  /** Its tags */
  tags: Record<string, string>;
  /** The median before; null if it was not there */
  before: number | null;
  /** The median in the range; null if it stopped */
  during: number | null;
  /** That of the same time a week before, where it is known */
  last_week?: number | null;
  /** Whether these are what a counter rises by in a second */
  rate: boolean;
  /** Of the metric */
  unit: string;
  /** Seconds after start_time at which the change begins */
  begins: number;
  /** How well it fits the range, 0 to 100 */
  fit: number;
  /** How far it is from what it was like */
  spreads: number;
};

export type Save = {
  /** What was saved */
  kind: "space" | "chart" | "alert" | "metric";
  /** Its id; the name of a metric */
  id: string;
  /** What it is called */
  name: string;
  /** Of the version, from 1 */
  number: number;
  /** When */
  at: number;
  /** Who, as in the audit log */
  actor: string;
  /** What was done, as in the audit log */
  action: string;
};

export type IncidentNote = {
  /** When */
  at: number;
  /** What it is */
  kind: "acknowledged" | "reopened" | "comment" | "maintenance" | "maintenance over";
  /** Whose it is */
  by: string;
  /** What it says */
  text: string;
  /** When a comment was last changed; left out where it was not */
  edited_at?: number;
};

export type NoteWrite = {
  /** What to say; a comment if somebody has acknowledged it already */
  text?: string;
};

export type IncidentList = {
  query: Query;
  /** The page */
  incidents: Incident[];
};

export type Delivery = {
  /** Of the delivery */
  id: number;
  /** The alert it tells of; 0 of a report */
  alert_id: number;
  /** 0 of a test and of a report */
  incident_id: number;
  /** The service that is notified */
  service_id: number;
  /** Its title, or whose device it is; empty where it is gone */
  service_title: string;
  /** What happened; a report is a scheduled picture of a space */
  kind: "trigger" | "reminder" | "escalation" | "clear" | "test" | "report";
  /** The same in every attempt */
  key: string;
  /** Whether it arrived */
  status: "waiting" | "delivered" | "failed" | "cancelled" | "superseded";
  /** How often it was tried */
  tries: number;
  /** When it became due first */
  created_at: number;
  /** When it is tried next */
  due_at: number;
  /** When it arrived or was given up; 0 before */
  finished_at: number;
  /** The delivery that this one stands in for, or 0 */
  fallback_of: number;
  notice: Notice;
  /** Every try, latest last */
  attempts: Attempt[];
};

export type DeliveryList = {
  query: Query;
  /** The page */
  deliveries: Delivery[];
};

export type TestResults = {
  /** One for each service of the alert */
  results: {
    /** The service */
    service_id: number;
    /** Of the service */
    title: string;
    /** Whether it took it */
    ok: boolean;
    /** In the service's words */
    answer: string;
    /** How long it took */
    duration_ms: number;
  }[];
};

export type Snooze = {
  /** Of the snooze */
  id: number;
  /** From when no notification is sent */
  starts_at: number;
  /** null is until somebody resumes */
  until: number | null;
  /** Who said so */
  by: string;
  /** Why */
  note: string;
};

export type SnoozeWrite = {
  /** From when no notification is sent, in seconds since 1970; now if left out */
  start?: number;
  /** Until when; null or left out is until somebody resumes */
  until?: number | null;
  /** For how long, in place of until */
  seconds?: number;
  /** Why, for the others */
  note?: string;
};

export type Snoozes = {
  /** Whether no notification is sent now */
  snoozed: boolean;
  /** Those that are on or to come */
  snoozes: Snooze[];
};

export type PreviewWrite = {
  /** The draft; it needs conditions and nothing else */
  alert: AlertWrite;
  /** Where to begin, in seconds since 1970 */
  start_time?: number;
  /** Where to end; now if left out */
  end_time?: number;
  /** Seconds before the end, where start_time is left out; 7 days if both are */
  duration?: number;
};

/** Start and end, in seconds since 1970 */
export type Interval = [number, number];

export type Backtest = {
  /** Of the time that was tried */
  start: number;
  /** Of it, excluded */
  end: number;
  /** How often it would have fired */
  fired: number;
  /** How many notifications there would have been, of all services */
  notifications: number;
  /** How long it would have fired in all */
  total_seconds: number;
  /** The longest of them */
  longest_seconds: number;
  /** Whether it would have fired all the time */
  always: boolean;
  /** Value that the first threshold was held against */
  highest: number | null;
  /** Likewise */
  lowest: number | null;
  /** Before then summaries were evaluated, since no measurements are kept; 0 if none were */
  summaries_until: number;
  /** What the finest summaries span */
  summary_seconds: number;
  /** What would have happened, the latest */
  incidents: ({
    /** When it would have begun */
    triggered_at: number;
    /** When it would have ended; null if not before the end */
    cleared_at: number | null;
    /** The worst value */
    peak: number | null;
    /** Which took part */
    streams: string[];
    /** Where the first condition is a band, of the latest 20: the reading that was furthest off */
    band?: {
      /** When it was */
      at: number;
      /** Of which stream */
      stream: string;
      /** What was measured */
      measured: number;
      /** What is usual then */
      usual: number;
    };
    /** The incident that there was at that time, and how many others; left out if no alert saw it */
    known_as?: {
      /** Which incident */
      incident_id: number;
      /** Of which alert */
      alert_id: number;
      /** What that is called */
      alert_name: string;
      /** How many more incidents there were then */
      others: number;
    };
  })[];
  /** One for each condition */
  conditions: ({
    /** The condition in words */
    sentence: string;
    /** The sentence in its parts, for whoever writes numbers as its reader does */
    words: ({
      /** What the part is about */
      kind: "metric" | "verb" | "quantity" | "words";
      /** The part as the sentence has it, blanks included */
      text: string;
      /** Of a quantity */
      value?: number;
      /** Of a quantity that has one */
      unit?: string;
    })[];
    /** When any stream violated it */
    intervals: Interval[];
    /** Streams it looked at */
    streams_total: number;
    /** Those that ever violated it */
    streams_violating: number;
    /** What a condition with against expects of one stream; left out of others */
    expected?: {
      /** Of which stream */
      stream: string;
      /** In order */
      times: number[];
      /** What readings are compared with, one a time */
      usual: number[];
      /** Of a band: how far readings usually are from the usual value */
      spread?: number[];
      /** The lower limit, null where only the upper side counts */
      low: (number | null)[];
      /** The upper limit, null where only the lower side counts */
      high: (number | null)[];
    };
    /** Those that did for longest */
    streams: ({
      /** Its tags, as "a=1,b=2" */
      stream: string;
      /** When it did */
      intervals: Interval[];
      /** Its worst value */
      peak: number | null;
    })[];
  })[];
  /** Other values of the first threshold, and this one */
  thresholds: {
    /** The threshold */
    value: number;
    /** How often it would have fired */
    fired: number;
    /** For how long in all */
    total_seconds: number;
  }[];
  /** Of a band with one side that fired: the strictest threshold that catches the same incidents and is the same at all times */
  fixed?: {
    /** The threshold */
    value: number;
    /** How often it would have fired */
    fired: number;
    /** For how long in all */
    total_seconds: number;
  };
};

export type MessagePreviewWrite = {
  /** Of the service */
  type?: string;
  /** Of the service */
  title?: string;
  /** Of the service */
  settings?: Record<string, string>;
  /** What happens; trigger if left out */
  kind?: "trigger" | "reminder" | "clear" | "test";
};

export type MessagePreview = {
  /** Of the body */
  content_type: string;
  /** What would be sent */
  body: string;
  /** Of a mail */
  subject: string;
  /** Of a mail, as HTML */
  html: string;
};

export type SnapshotWrite = {
  /** What to draw */
  subject: {
    /** A chart */
    chart: {
      /** Of the chart */
      id: number;
      /** How to draw it, if not as it is */
      type?: "line" | "stacked" | "bignumber";
      /** For its dynamic tags */
      tags?: Tag[];
    };
  };
  /** Seconds; 3600 if left out */
  duration?: number;
  /** Seconds since 1970; now if left out. RFC 3339 is taken too */
  end_time?: number;
};

export type Snapshot = {
  /** Of the snapshot */
  href: string;
  /** Of the job that draws it */
  job_href: string;
  /** Of the picture; null until it is drawn. For 30 days it can be opened without credentials by whoever knows the address, unless the snapshot is deleted before */
  image_href: string | null;
  /** Seconds that it shows */
  duration: number;
  /** Where it ends */
  end_time: string;
  /** When it was asked for */
  created_at: string;
  /** When it was drawn */
  updated_at: string;
  /** As it was sent */
  subject: Record<string, unknown>;
};

export type Alert = {
  /** Of the alert */
  id: number;
  /** Unique */
  name: string;
  /** For people; null if it has none */
  description: string | null;
  /** All must hold for it to fire */
  conditions: Condition[];
  /** That are notified */
  services: Service[];
  /** What else is known of it, such as runbook_url; as it was sent */
  attributes: {
    /** Where people read what to do */
    runbook_url?: string;
  };
  /** Whether it is evaluated */
  active: boolean;
  /** Seconds since 1970 */
  created_at: number;
  /** Seconds since 1970; moves with every change */
  updated_at: number;
  /** Of the kind of alert */
  version: 2;
  /** Seconds between notifications while it fires */
  rearm_seconds: number;
  /** Whether that holds for each stream on its own */
  rearm_per_signal: boolean;
  /** Its conditions use tags; always so */
  md: boolean;
  /** How bad it is; left out if nobody has set it */
  severity?: "critical" | "warning" | "info";
  /** Names and values for people; left out where there are none */
  labels?: Record<string, string>;
  /** Who else is notified while nobody acknowledges; left out where there is none */
  escalation?: EscalationStep[];
};

export type EscalationStep = {
  /** Since services were first notified of the incident; a multiple of 60, more than in the step before */
  after_seconds: number;
  /** Ids of the services that are notified */
  services: number[];
};

export type Maintenance = {
  /** Of the window */
  id: number;
  /** For people */
  name: string;
  /** For people */
  note: string;
  /** When it begins; of one that repeats, since when it does */
  starts_at: number;
  /** When it ends; of one that repeats, until when it does, or null if it goes on */
  ends_at: number | null;
  /** Null of one that does not */
  repeat: Repeat | null;
  covers: Covers;
  /** Alerts are not evaluated meanwhile: they neither fire nor clear */
  suspends: boolean;
  /** Seconds since 1970 */
  created_at: number;
  /** Seconds since 1970 */
  updated_at: number;
  /** Who made it */
  created_by: string;
};

/** When a window repeats, by the clocks of a time zone */
export type Repeat = {
  /** On which it starts */
  days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
  /** Such as 02:00 */
  start_time: string;
  /** Such as 03:30; one that is not after the start is on the next day */
  end_time: string;
  /** Such as Europe/Berlin */
  zone: string;
  /** Days on which it does not start, such as 2026-12-24; left out if there are none */
  skip?: string[];
  /** Only every so many weeks, counted from that of starts_at; left out if it is every week */
  weeks?: number;
};

/** Which alerts a window is about: all, those that are named, or those that have all of the labels. With tags, as long as every stream that violates has all of them */
export type Covers = {
  /** All alerts */
  all: boolean;
  /** Ids of alerts */
  alerts: number[];
  /** Labels that an alert must all have */
  labels: Record<string, string>;
  /** Tags that every violating stream must all have */
  tags: Record<string, string>;
};

export type MaintenanceWrite = {
  /** For people */
  name?: string;
  /** For people */
  note?: string;
  /** When it begins; of one that repeats, since when it does */
  starts_at?: number;
  /** When it ends; one that repeats may have none */
  ends_at?: number | null;
  /** When it repeats; null if it does not */
  repeat?: Repeat | null;
  /** Which alerts it is about, see Covers; what is left out names none */
  covers?: {
    /** All alerts */
    all?: boolean;
    /** Ids of alerts */
    alerts?: number[];
    /** Labels that an alert must all have */
    labels?: Record<string, string>;
    /** Tags that every violating stream must all have */
    tags?: Record<string, string>;
  };
  /** Alerts are not evaluated meanwhile: they neither fire nor clear; not with tags in covers */
  suspends?: boolean;
};

export type PlaceWrite = {
  /** What the agent is called: its tag host */
  name: string;
  /** Its tags, by which checks find it */
  tags?: Record<string, string>;
};

export type PlaceAnswer = {
  /** What it is called */
  place: string;
  /** After how many seconds to ask again */
  ask_in: number;
  /** What it is to run */
  checks: ({
    /** Of the check */
    id: number;
    /** What is looked at */
    kind: "http" | "tcp" | "tls" | "dns";
    /** A URL, host:port or the name of a host */
    target: string;
    /** Seconds between runs */
    every: number;
    /** Seconds until an answer counts as none */
    timeout: number;
    /** What an answer has to hold */
    expect: string;
    /** How long a certificate has to go on */
    days: number;
  })[];
};

export type FindingsWrite = {
  /** What the agent is called; it has asked before */
  place: string;
  /** What it found */
  results: ({
    /** The id of the check */
    check: number;
    /** Seconds since 1970 */
    time: number;
    /** Whether all was well */
    up: boolean;
    /** Seconds until the answer */
    duration: number;
    /** What was wrong, or what was found */
    said?: string;
    /** Until the certificate ends */
    days?: number | null;
  })[];
};

export type FindingsAnswer = {
  /** How many were recorded */
  recorded: number;
  /** What was not */
  refused: {
    /** The id of the check */
    check: number;
    /** Why */
    reason: string;
  }[];
};

export type Objective = {
  /** Of the objective */
  id: number;
  /** For people, unique */
  name: string;
  /** For people */
  description: string;
  /** Counts what was good; empty where below says it */
  good_metric: string;
  /** Counts all there was, or with below has all values */
  total_metric: string;
  /** How many percent are to be good, more than 0 and less than 100 */
  target: number;
  /** The window, which ends now */
  days: 7 | 28 | 30 | 90;
  /** Values of the distribution total_metric are good up to this; null where good_metric says it */
  below: number | null;
  /** Streams that count; all of them if empty */
  tags: Tag[];
  /** A tag of which every value has a budget of its own; may be empty */
  group_by: string;
  /** What maintenance windows find it by */
  labels: Record<string, string>;
  /** Whether what was counted in maintenance windows that cover it is left out */
  without_maintenance: boolean;
  /** Seconds since 1970 */
  created_at: number;
  /** Seconds since 1970 */
  updated_at: number;
  /** Who made it */
  created_by: string;
};

export type ObjectiveWrite = {
  /** For people, unique */
  name?: string;
  /** For people */
  description?: string;
  /** Counts what was good; empty or left out with below */
  good_metric?: string;
  /** Counts all there was, or with below has all values */
  total_metric?: string;
  /** How many percent are to be good, more than 0 and less than 100 */
  target?: number;
  /** The window; 28 unless it says otherwise */
  days?: 7 | 28 | 30 | 90;
  /** Instead of good_metric: values of total_metric are good up to this */
  below?: number | null;
  /** Streams that count, by name and values of tags */
  tags?: Tag[];
  /** A tag of which every value has a budget of its own */
  group_by?: string;
  /** What maintenance windows find it by */
  labels?: Record<string, string>;
  /** Whether what was counted in maintenance windows that cover it is left out */
  without_maintenance?: boolean;
};

export type ObjectiveList = {
  query: Query;
  /** The page */
  objectives: Objective[];
};

export type MaintenanceList = {
  query: Query;
  /** The page */
  maintenance: Maintenance[];
};

export type AlertWrite = {
  /** Unique; letters, digits, blanks and . : - _ */
  name?: string;
  /** For people */
  description?: string | null;
  /** All must hold; on PUT, those left out are removed */
  conditions?: ConditionWrite[];
  /** Ids of services; objects with an id are taken too */
  services?: number[];
  /** Such as runbook_url; on PUT, keys left out are removed */
  attributes?: {
    /** Where people read what to do */
    runbook_url?: string | null;
  };
  /** Whether it is evaluated; true if left out */
  active?: boolean;
  /** A multiple of 60; 600 if left out */
  rearm_seconds?: number | null;
  /** Whether that holds for each stream on its own */
  rearm_per_signal?: boolean;
  /** 2, if given */
  version?: number;
  /** How bad it is; empty is not set */
  severity?: "critical" | "warning" | "info" | "";
  /** Names and values for people */
  labels?: Record<string, string>;
  /** Who else is notified while nobody acknowledges */
  escalation?: {
    /** Since services were first notified of the incident; a multiple of 60 */
    after_seconds: number;
    /** Ids of services */
    services: number[];
  }[];
};

export type AlertList = {
  query: Query;
  /** The page */
  alerts: Alert[];
};

export type AlertStatus = {
  /** Which alert */
  alert: {
    /** Of the alert */
    id: number;
  };
  /** Whether it fires */
  status: "ok" | "triggered";
};

export type AlertStatuses = {
  /** Alerts that fire */
  firing: {
    /** Of the alert */
    id: number;
    /** Since when */
    triggered_at: number;
  }[];
  /** Alerts that stopped within a day */
  cleared: {
    /** Of the alert */
    id: number;
    /** Since when it does not */
    cleared_at: number;
  }[];
};

export type ServiceRef = {
  /** Id of the service */
  service: number;
};

export type AnnotationStreamList = {
  query: Query;
  /** The page */
  annotations: ({
    /** Of the stream */
    name: string;
    /** For people */
    display_name: string | null;
  })[];
};

export type AnnotationStream = {
  /** Of the stream */
  name: string;
  /** For people */
  display_name: string | null;
  /** By source; a list of one such object for the official Go client */
  events?: Record<string, Event[]> | [Record<string, Event[]>];
};

export type StreamWrite = {
  /** For people; null removes it */
  display_name?: string | null;
};

export type Event = {
  /** Of the event */
  id: number;
  /** What happened */
  title: string;
  /** More about it */
  description: string | null;
  /** Where it happened */
  source: string | null;
  /** Seconds since 1970 */
  start_time: number;
  /** Seconds since 1970; null of a moment */
  end_time: number | null;
  /** To pages about it */
  links: Link[];
};

export type EventWrite = {
  /** What happened; required on creation */
  title?: string;
  /** More about it */
  description?: string | null;
  /** Where it happened */
  source?: string | null;
  /** Seconds since 1970; now if left out */
  start_time?: number | null;
  /** Not before start_time */
  end_time?: number | null;
  /** To pages about it; on PUT they replace those there are */
  links?: LinkWrite[];
};

export type Link = {
  /** Unique within the event */
  rel: string;
  /** For people */
  label: string | null;
  /** A web address */
  href: string;
};

export type Token = {
  /** Of the token */
  id: number;
  /** For people; need not be unique */
  name: string;
  /** Whole in the answer that creates or rotates it, masked otherwise */
  token: string;
  /** Whether it works */
  active: boolean;
  /** What it may: admin all, recorder record, viewer look */
  role: "admin" | "recorder" | "viewer";
  /** Of the token */
  href: string;
  /** When it was made */
  created_at: TokenTime;
  /** When it was last changed */
  updated_at: TokenTime;
  /** When it was last used; null if never */
  last_used_at: TokenTime | null;
  /** When it stops working; null if never */
  expires_at: TokenTime | null;
  /** It is deactivated when it was not used for so many days; left out for never */
  idle_days?: number;
  /** Until when its earlier value works, after a rotation */
  old_token_until?: TokenTime;
  /** What it may send or read; left out where that is everything */
  scope?: TokenScope;
  /** Addresses and networks that it may be used from; left out where that is anywhere */
  networks?: string[];
};

/** Narrows a Record Only token, which can send matching measurements, with the tags that it adds, and do nothing else; or a View Only token, which can read matching metrics and measurements and do nothing else */
export type TokenScope = {
  /** Names, in which * stands for anything; none means all */
  metrics?: string[] | null;
  /** Tags that every measurement, or stream that is read, must have */
  tags?: ScopeTag[] | null;
  /** For Record Only tokens: tags that every measurement gets, in place of what the sender says; left out where there are none */
  add?: AddedTag[] | null;
};

export type AddedTag = {
  /** Of the tag */
  name: string;
  /** That it gets */
  value: string;
};

export type ScopeTag = {
  /** Of the tag */
  name: string;
  /** One of these */
  values: string[];
};

/** A time in words, as only tokens have it */
export type TokenTime = string;

export type TokenWrite = {
  /** For people */
  name?: string;
  /** What it may */
  role?: "admin" | "recorder" | "viewer";
  /** Whether it works; true if left out */
  active?: boolean;
  /** Seconds since 1970, not in the past unless it is what the token has already */
  expires_at?: number | null;
  /** It is deactivated when it was not used for so many days; 0 or null is never */
  idle_days?: number | null;
  /** What a Record Only token may send, or a View Only token read; null is everything */
  scope?: TokenScope | null;
  /** Addresses and networks that it may be used from, such as 10.20.0.0/16; null is anywhere */
  networks?: string[] | null;
  /** On creation: a value that agents already use; only its hash is kept */
  import_token?: string;
};

export type TokenRotate = {
  /** Seconds that the old value goes on working; 86400 if left out */
  overlap?: number;
};

export type TokenList = {
  query: Query;
  /** The page */
  api_tokens: Token[];
};

export type TokenOrList = Token | TokenList;

export type AuditList = {
  query: Query;
  /** The page */
  audit: AuditEntry[];
};

export type Job = {
  /** Of the job */
  id: number;
  /** How far it is */
  state: "queued" | "working" | "complete" | "failed" | "canceled";
  /** In percent */
  progress?: number;
  /** What it has to say */
  output?: string;
  /** What went wrong */
  errors?: Record<string, Messages>;
};

export type Metric = {
  /** Of the metric; found in any case */
  name: string;
  /** For people */
  display_name: string | null;
  /** A composite is computed */
  type: "gauge" | "counter" | "composite";
  /** For people */
  description: string | null;
  /** Seconds between measurements */
  period: number | null;
  /** Seconds, of old metrics */
  source_lag: number | null;
  /** The expression of a composite */
  composite?: string;
  attributes: Attributes;
};

/** How to show it, and whether to aggregate; other keys are kept as they come */
export type Attributes = {
  /** Such as #52D74C */
  color?: string | null;
  /** Of the axis */
  display_min?: number | null;
  /** Of the axis */
  display_max?: number | null;
  /** Such as milliseconds */
  display_units_long?: string | null;
  /** Such as ms */
  display_units_short?: string | null;
  /** Whether lines are stacked */
  display_stacked?: boolean | null;
  /** average, sum, count, min or max */
  summarize_function?: string | null;
  /** Whether all measurements of a period become one */
  aggregate?: boolean | null;
  /** Whether lines are broken where measurements are missing */
  gap_detection?: boolean | null;
  /** Whether its measurements are distributions; set by the first that is one */
  distribution?: boolean | null;
  /** What made the metric */
  created_by_ua?: string | null;
  /** A formula of x and p */
  display_transform?: string | null;
};

export type MetricWrite = {
  /** gauge if left out, composite where there is one */
  type?: "gauge" | "counter" | "composite";
  /** For people */
  display_name?: string | null;
  /** For people */
  description?: string | null;
  /** Seconds between measurements, 0 to 604800 */
  period?: number | null;
  /** An expression, of a composite */
  composite?: string;
  /** Merged into those there are; null clears one */
  attributes?: Attributes;
  /** Seconds, of old metrics */
  source_lag?: number | null;
};

export type MetricNames = {
  /** Names, or one pattern with * */
  names: string[] | string;
  /** Of those, which to leave alone */
  exclude?: string[] | string;
};

export type MetricBulkWrite = MetricNames & MetricWrite;

export type MetricList = {
  query: Query;
  /** The page */
  metrics: Metric[];
};

/** Measurements, or what collectd sends */
export type MeasurementsWrite = Measurements | Collectd;

export type Measurements = {
  /** Seconds since the epoch; now where absent or 0 */
  time?: number | null;
  /** Seconds between measurements, for new metrics */
  period?: number | null;
  /** Of measurements that have none of their own */
  tags?: TagSet;
  /** What was measured */
  measurements: Measurement[];
};

/** What collectd's write_http sends */
export type Collectd = ({
  /** One measurement each; null is nothing to record */
  values: (number | null)[];
  /** What each of them is called */
  dsnames?: string[];
  /** Seconds since 1970 */
  time?: number;
  /** Seconds between measurements */
  interval?: number;
  /** Becomes a tag */
  host?: string;
  /** The beginning of the name */
  plugin: string;
  /** Becomes a tag */
  plugin_instance?: string;
  /** The end of the name */
  type: string;
  /** Becomes a tag */
  type_instance?: string;
})[];

/** By name, at most 64 characters; values of at most 255 */
export type TagSet = Record<string, string> | null;

export type Recorded = {
  /** What became of them */
  measurements: {
    summary: Summary;
  };
  /** Those that were not recorded; left out where all were */
  errors?: Problem[];
};

/** Ordered by time */
export type Points = Point[];

export type SeriesList = {
  /** Of the metric */
  name: string;
  /** Seconds of each point */
  resolution: number;
  attributes: Attributes;
  /** One for each stream or group */
  series: {
    /** Of the stream or group */
    tags: Record<string, string>;
    measurements: Points;
  }[];
  /** Empty where this is all */
  links: {
    /** The only one */
    rel: "next";
    /** Where the rest is */
    href: string;
  }[];
};

export type Composed = {
  /** The expression */
  compose: string;
  /** Seconds of each point */
  resolution: number;
  /** What it stands for */
  series: {
    /** Of the stream or group */
    tags: Record<string, string>;
    measurements: Points;
    query?: Leaf;
    metric?: SeriesMetric;
    /** Seconds between its points */
    period?: number;
  }[];
};

export type LegacyComposed = {
  /** The expression */
  compose: string;
  /** Seconds of each point */
  resolution: number;
  /** One for each series */
  measurements: ({
    /** null where it is computed */
    metric: Metric | null;
    /** Seconds between points */
    period: number;
    /** What was read */
    query: {
      /** Name */
      metric: string;
      /** Name */
      source: string;
    };
    source: Source;
    /** Ordered by time */
    series: {
      /** Seconds since 1970 */
      measure_time: number;
      /** What was computed */
      value: number;
    }[];
  })[];
};

export type LegacyWrite = {
  /** Of those that have none of their own; now if left out */
  measure_time?: number | null;
  /** Of those that have none of their own; unassigned if left out */
  source?: string | null;
  /** A list, or an object by name */
  gauges?: LegacyMeasurement[] | Record<string, LegacyMeasurement> | null;
  /** A list, or an object by name */
  counters?: LegacyMeasurement[] | Record<string, LegacyMeasurement> | null;
  /** For new metrics */
  period?: number | null;
};

export type MetricWithMeasurements = {
  /** Of the metric; found in any case */
  name: string;
  /** For people */
  display_name: string | null;
  /** A composite is computed */
  type: "gauge" | "counter" | "composite";
  /** For people */
  description: string | null;
  /** Seconds between measurements */
  period: number | null;
  /** Seconds, of old metrics */
  source_lag: number | null;
  /** The expression of a composite */
  composite?: string;
  attributes: Attributes;
  /** Seconds of each point; where measurements were asked for */
  resolution?: number;
  /** Where the rest is */
  query?: {
    /** Where to go on, if the answer is not whole */
    next_time?: number;
  };
  /** By source */
  measurements?: Record<string, LegacyPoint[]>;
};

export type MetricStreams = {
  query: Query;
  /** The page */
  streams: ({
    /** Of the stream */
    tags: Record<string, string>;
    /** When it was last heard of; null if that is not known */
    last_seen: number | null;
  })[];
};

export type MetricTags = {
  /** Ordered by name */
  tags: {
    /** Of the tag */
    name: string;
    /** Streams that have it */
    streams: number;
    /** Values it has */
    count: number;
    /** The first of them */
    values: {
      /** One of them */
      value: string;
      /** Streams that have it */
      streams: number;
    }[];
  }[];
};

export type Source = {
  /** The value of the tag source */
  name: string;
  /** For people */
  display_name: string | null;
};

export type SourceList = {
  query: Query;
  /** The page */
  sources: Source[];
};

export type Service = {
  /** Of the service */
  id: number;
  /** Such as mail, slack or webhook */
  type: string;
  /** By name; secrets are masked for all but Full Access */
  settings: Record<string, string>;
  /** For people */
  title: string;
  /** Only while its secrets cannot be decrypted, since the server lacks their key: why they are not among the settings */
  unreadable?: string;
};

export type ServiceWrite = {
  /** Such as mail, slack or webhook */
  type?: string;
  /** For people */
  title?: string;
  /** What the type needs, such as addresses, url or token */
  settings?: Record<string, string>;
};

export type ServiceList = {
  query: Query;
  /** The page */
  services: Service[];
};

export type Space = {
  /** Of the space */
  id: number;
  /** For people */
  name: string | null;
};

export type SpaceWithCharts = {
  /** Of the space */
  id: number;
  /** For people */
  name: string | null;
  /** Nothing but ids */
  charts: {
    /** Of the chart */
    id: number;
  }[];
};

export type SpaceWrite = {
  /** For people */
  name?: string;
};

export type SpaceList = {
  query: Query;
  /** The page */
  spaces: Space[];
};

export type Stream = {
  /** Of the stream */
  id: number;
  /** Name or pattern */
  metric?: string;
  /** What metric is */
  type?: "gauge" | "counter" | "composite" | "annotation";
  /** A pattern, of old charts */
  source?: string;
  /** Which streams of the metric */
  tags?: Tag[];
  /** An expression in place of a metric */
  composite?: string;
  /** What makes one line of the streams of a group */
  group_function?: string;
  /** A tag, of old charts */
  group_by?: string;
  /** What of each measurement is shown */
  summary_function?: string;
  /** What makes one point of many */
  downsample_function?: string;
  /** Such as #52D74C */
  color?: string;
  /** For people */
  name?: string;
  /** Such as ms */
  units_short?: string;
  /** Such as milliseconds */
  units_long?: string;
  /** Of its axis */
  min?: number;
  /** Of its axis */
  max?: number;
  /** A formula of x and p */
  transform_function?: string;
  /** Seconds */
  period?: number;
  /** Whether it has an axis of its own */
  split_axis?: boolean;
  /** Whether lines are broken where measurements are missing */
  gap_detection?: boolean;
  /** In the chart */
  position?: number;
  /** Kept in the chart, but not drawn */
  hidden?: boolean;
  /** Colours of its column in a table */
  thresholds?: Threshold[];
};

export type Threshold = {
  /** Which side of the value */
  operator: ">" | "<" | "=";
  /** Where the colour begins */
  value: number;
  /** The colour */
  type: "red" | "yellow";
};

/** What a chart shows beyond its type; left out where there is nothing. Clients that do not know them draw the chart by its type. Other keys are kept as they come */
export type ChartAttributes = {
  /** How the interface shows it, instead of by its type */
  kind?: "text" | "table" | "alerts" | "events" | "bar" | "gauge" | "heatmap";
  /** Of a text, in Markdown */
  text?: string;
  /** Rows of a table or a list */
  top?: number;
  /** The stream that a table is sorted by, from 0 */
  sort?: number;
  /** Which rows of a table come first */
  order?: "highest" | "lowest";
  /** What is made of the values of the range, in a table or a gauge */
  value?: "last" | "mean" | "min" | "max" | "sum";
  /** Whether each row of a table has a small line of the range, of the column it is sorted by */
  spark?: boolean;
  /** Of a heatmap: a row for each stream, or for each range of values, with how many streams are in it, or how many of the values of all streams, as distributions keep them */
  rows?: "streams" | "values" | "distribution";
  /** Of a distribution: the cells of its heatmap, which is what it shows if nothing is said, lines of its percentiles, or both */
  layers?: "cells" | "percentiles" | "both";
  /** Of a distribution; 50, 95 and 99 if left out */
  percentiles?: number[];
  /** What the colours of a distribution are: the share of the values of a step, which is usual, or how many they are */
  color_by?: "share" | "count";
  /** How the colours of a distribution grow; sqrt tells small counts apart */
  color_scale?: "linear" | "sqrt";
  /** Which alerts a list has */
  show?: "firing" | "all";
  /** In the names and labels of alerts */
  find?: string;
  /** The chart is shown once for each value of this tag */
  repeat?: string;
  /** Where people go on from it */
  links?: ChartLink[];
  /** Values that are tinted */
  bands?: ChartBand[];
};

export type ChartLink = {
  /** For people */
  title: string;
  /** Begins with https://, http:// or /; {host} is replaced by the value of the tag host */
  url: string;
};

export type ChartBand = {
  /** Where it begins */
  from: number;
  /** Where it ends */
  to: number;
  /** Its colour */
  type: "red" | "yellow" | "green";
};

export type Chart = {
  /** Of the chart */
  id: number;
  /** For people */
  name: string;
  /** How it is drawn */
  type: "line" | "stacked" | "bignumber";
  /** What it shows */
  streams: Stream[];
  /** Of the axis */
  min?: number;
  /** Of the axis */
  max?: number;
  /** Of the axis */
  label?: string;
  /** Where a click leads */
  related_space?: number;
  /** Colours of a number, lines in a chart */
  thresholds: Threshold[];
  /** Whether the axis is logarithmic */
  use_log_yaxis?: boolean;
  /** Whether a big number is the last value, not the mean */
  use_last_value?: boolean;
  attributes?: ChartAttributes;
};

export type Charts = Chart[];

export type ChartWrite = {
  /** For people */
  name?: string;
  /** line if left out */
  type?: "line" | "stacked" | "bignumber";
  /** What it shows; on PUT they replace all there are */
  streams?: ChartStreamWrite[];
  /** Of the axis */
  min?: number | null;
  /** Of the axis */
  max?: number | null;
  /** Of the axis */
  label?: string | null;
  /** Where a click leads */
  related_space?: number | null;
  /** Colours of a number, lines in a chart */
  thresholds?: Threshold[] | null;
  /** Whether the axis is logarithmic */
  use_log_yaxis?: boolean | null;
  /** Whether a big number is the last value, not the mean */
  use_last_value?: boolean | null;
  /** Of ChartAttributes; merged into those there are, and one that is null is cleared. A PUT of another type without attributes clears kind */
  attributes?: Record<string, unknown>;
  /** What old clients call type */
  chart_type?: "line" | "stacked" | "bignumber";
  /** What one client calls thresholds */
  threshold?: Threshold[] | null;
};

/** Why one measurement was not recorded */
export type Problem = {
  /** Of the measurement in its request, from 0 */
  index: number;
  /** Of its metric, if it has one */
  name?: string;
  /** The field that is wrong */
  param: string;
  /** What it holds, the beginning of it */
  value?: string;
  /** What is wrong with it */
  reason: string;
};

export type Summary = {
  /** Measurements in the request */
  total: number;
  /** Those that were recorded */
  accepted: number;
  /** Those that were not */
  failed: number;
  /** Said that there was nothing to record: a count of 0 */
  filtered: number;
};

/** A notification as services get it, as it was when it happened */
export type Notice = {
  /** What happened; a report is a scheduled picture of a space */
  kind: "trigger" | "reminder" | "escalation" | "clear" | "test" | "report";
  /** The organization */
  org_id: number;
  /** The alert; 0 of a report */
  alert_id: number;
  /** Of the alert or the report */
  name: string;
  /** Of the alert */
  description: string;
  /** Of the alert */
  runbook_url: string;
  /** The alert in words */
  sentence: string;
  /** What services know the incident by */
  incident_key: string;
  /** Of triggering, or of clearing */
  time: number;
  /** When it began */
  triggered_at: number;
  /** Why it ended */
  clear?: string;
  /** Of the alert, then */
  conditions: Condition[];
  /** Which streams; of a clear, those there were */
  violations: Violation[];
  /** How many more streams violate; left out where there are none */
  omitted?: number;
  /** Of the metrics, by name */
  units?: Record<string, string>;
  /** Of the alert; left out if it has none */
  severity?: "critical" | "warning" | "info";
  /** Of the alert; left out if it has none */
  labels?: Record<string, string>;
  /** Of the escalation, from 1; left out of everything else */
  step?: number;
  /** Streams that did not violate yet when services were last notified of the incident; left out where there are none */
  joined?: number;
  /** What the picture of a report shows; left out of everything else */
  report?: {
    /** The report */
    id: number;
    /** The space */
    space_id: number;
    /** Its name, then */
    space_name: string;
    /** Where the time begins that it shows */
    start: number;
    /** Where that ends */
    end: number;
    /** In which it is written, such as Europe/Berlin */
    zone: string;
  };
};

export type Attempt = {
  /** When */
  at: number;
  /** How long it took */
  duration_ms: number;
  /** Whether the service took it */
  ok: boolean;
  /** In the service's words */
  answer: string;
};

export type ConditionWrite = {
  /** Conditions are replaced; it says alone whose against one keeps */
  id?: number;
  /** Which side of the threshold is wrong, or silence */
  type: "above" | "below" | "absent";
  /** A metric that exists */
  metric_name: string;
  /** A pattern, of old alerts */
  source?: string | null;
  /** Required of above and below */
  threshold?: number | null;
  /** 60 to 3600 seconds; required of absent; 0 and null are at once */
  duration?: number | null;
  /** min, max, average, sum, count, derivative, or a percentile from p50 to p999; average if left out */
  summary_function?: string | null;
  /** With derivative: a drop counts as 0; left out elsewhere */
  detect_reset?: boolean | null;
  /** What readings are compared with; left out, a condition keeps that of the one it replaces, and kind none takes it away */
  against?: Against | null;
  /** Which streams */
  tags?: Tag[];
};

export type LinkWrite = {
  /** Unique within the event */
  rel: string;
  /** For people */
  label?: string | null;
  /** A web address */
  href: string;
};

export type AuditEntry = {
  /** Of the entry */
  id: number;
  /** Seconds since 1970 */
  at: number;
  /** token:NAME, user:E-MAIL, cli, server, visitor for somebody who is not signed in, or link in notification for one who followed that */
  actor: string;
  /** Where the request came from; empty for the server itself */
  address: string;
  /** Such as token.create */
  action: string;
  /** Such as token 41 "edge" */
  object: string;
  /** What else there is to know; never a secret */
  detail: Record<string, unknown> | null;
  /** What the changed fields were; never a secret */
  before?: Record<string, unknown>;
  /** What the changed fields are; never a secret */
  after?: Record<string, unknown>;
  /** How often it happened within the minute, for refused sign-ins */
  count?: number;
};

/** A value, or at least count and sum, or a distribution. Own tags replace those of the request. */
export type Measurement = {
  /** Of the metric */
  name: string;
  /** What was measured */
  value?: number | null;
  /** Of a summary: of how many */
  count?: number | null;
  /** Of a summary */
  sum?: number | null;
  /** Of a summary */
  min?: number | null;
  /** Of a summary */
  max?: number | null;
  /** Of a summary: the latest */
  last?: number | null;
  /** Of a summary */
  stddev?: number | null;
  /** Of a summary: the sum of squared deviations */
  stddev_m2?: number | null;
  /** Instead of value, count and sum: the values that were measured, or pairs of one and how often it was */
  distribution?: (number | [number, number])[] | null;
  /** Seconds since 1970; now if left out */
  time?: number | null;
  /** Seconds between measurements, for a new metric */
  period?: number | null;
  tags?: TagSet;
  /** For a new metric */
  attributes?: Attributes;
};

export type Point = {
  /** Seconds since 1970 */
  time: number;
  /** What was asked for */
  value: number;
  /** With summary_function=all */
  count?: number;
  /** With summary_function=all */
  sum?: number;
  /** With summary_function=all */
  min?: number;
  /** With summary_function=all */
  max?: number;
  /** With summary_function=all */
  mean?: number;
  /** With summary_function=all */
  last?: number;
  /** With summary_function=all */
  stddev?: number;
};

/** Which streams a series was read from */
export type Leaf = {
  /** Name or pattern */
  metric: string;
  /** By tag, what was asked for */
  tags?: Record<string, string | string[]>;
  /** What was asked for, as one expression */
  tags_search?: string;
};

export type SeriesMetric = {
  /** Of the metric */
  name: string;
  /** Of the metric */
  type: "gauge" | "counter" | "composite";
  /** Seconds between measurements */
  period: number | null;
  attributes: Attributes;
};

export type LegacyPoint = {
  /** Seconds since 1970 */
  measure_time: number;
  /** The mean; of a counter, what it showed last */
  value: number;
  /** Measurements in it */
  count: number;
  /** Of them */
  min?: number;
  /** Of them */
  max?: number;
  /** Of them */
  sum?: number;
  /** Of them */
  sum_squares?: number;
  /** Points that were made one */
  rollups?: number;
  /** Sources that were made one */
  summarized?: number;
  /** Of their values */
  sum_means?: number;
};

/** A value, or count and sum */
export type LegacyMeasurement = {
  /** Of the metric; may be the key instead */
  name?: string;
  /** What was measured */
  value?: number | null;
  /** Of a summary */
  count?: number | null;
  /** Of a summary */
  sum?: number | null;
  /** Of a summary */
  min?: number | null;
  /** Of a summary */
  max?: number | null;
  /** Of a summary */
  sum_squares?: number | null;
  /** Where it was measured */
  source?: string | null;
  /** Seconds since 1970; now if left out */
  measure_time?: number | null;
  /** For a new metric */
  period?: number | null;
  /** For a new metric */
  display_name?: string | null;
  /** For a new metric */
  description?: string | null;
  /** For a new metric */
  attributes?: Attributes;
};

/** A metric or a composite */
export type ChartStreamWrite = {
  /** Ignored: streams are replaced */
  id?: number;
  /** Name or pattern */
  metric?: string | null;
  /** What metric is */
  type?: "gauge" | "counter" | "composite" | "annotation" | null;
  /** A pattern, of old charts */
  source?: string | null;
  /** Which streams of the metric */
  tags?: Tag[];
  /** An expression in place of a metric */
  composite?: string | null;
  /** What makes one line of the streams of a group */
  group_function?: string | null;
  /** A tag, of old charts */
  group_by?: string | null;
  /** What of each measurement is shown */
  summary_function?: string | null;
  /** What makes one point of many */
  downsample_function?: string | null;
  /** Such as #52D74C */
  color?: string | null;
  /** For people */
  name?: string | null;
  /** Such as ms */
  units_short?: string | null;
  /** Such as milliseconds */
  units_long?: string | null;
  /** Of its axis */
  min?: number | null;
  /** Of its axis */
  max?: number | null;
  /** A formula of x and p */
  transform_function?: string | null;
  /** Seconds */
  period?: number | null;
  /** Whether it has an axis of its own */
  split_axis?: boolean | null;
  /** Whether lines are broken where measurements are missing */
  gap_detection?: boolean | null;
  /** In the chart */
  position?: number | null;
  /** Kept in the chart, but not drawn */
  hidden?: boolean | null;
  /** Colours of its column in a table */
  thresholds?: Threshold[] | null;
};
