// Made by go test ./internal/api -run TestContract -update from the routes of /ui/api. Do not edit.
import type { Alert, AlertWrite, AuditEntry, Chart, Delivery, Event, Incident, Maintenance, MaintenanceWrite, Objective, ObjectiveWrite, Query, Service, ServiceWrite, Snooze, Space, Tag } from "./types.gen";

/** What each route answers. */
export type Answers = {
  "GET /ui/api/signin": SignInOptions;
  "POST /ui/api/session": Session;
  "GET /ui/api/session": Session;
  "PUT /ui/api/session": Session;
  "DELETE /ui/api/session": undefined;
  "GET /ui/api/sessions": SessionList;
  "DELETE /ui/api/sessions/{id}": undefined;
  "GET /ui/api/session/second": SecondStep;
  "POST /ui/api/session/second": SteppedIn;
  "POST /ui/api/session/second/passkey": PasskeyChallenge;
  "PUT /ui/api/session/second/passkey": Session;
  "POST /ui/api/session/passkey": PasskeyChallenge;
  "PUT /ui/api/session/passkey": Session;
  "DELETE /ui/api/sessions": undefined;
  "GET /ui/api/proof": Proofs;
  "POST /ui/api/proof": undefined;
  "POST /ui/api/proof/passkey": PasskeyChallenge;
  "GET /ui/api/second_factor": SecondFactors;
  "POST /ui/api/second_factor/totp": NewTOTP;
  "PUT /ui/api/second_factor/totp": RecoveryCodes;
  "DELETE /ui/api/second_factor/totp": undefined;
  "POST /ui/api/second_factor/codes": RecoveryCodes;
  "POST /ui/api/second_factor/passkeys/challenge": PasskeyChallenge;
  "POST /ui/api/second_factor/passkeys": NewPasskey;
  "PUT /ui/api/second_factor/passkeys/{id}": undefined;
  "DELETE /ui/api/second_factor/passkeys/{id}": undefined;
  "GET /ui/api/setup/{key}": SetupCheck;
  "POST /ui/api/setup/{key}": Session;
  "POST /ui/api/reset": Accepted;
  "POST /ui/api/reset/{key}": undefined;
  "GET /ui/api/invite/{key}": Invited;
  "POST /ui/api/invite/{key}": Session;
  "GET /ui/api/oidc/start": never;
  "GET /ui/api/oidc/callback": never;
  "PUT /ui/api/profile": undefined;
  "GET /ui/api/devices": DeviceList;
  "POST /ui/api/devices": Device;
  "PUT /ui/api/devices/{id}": Device;
  "DELETE /ui/api/devices/{id}": undefined;
  "POST /ui/api/devices/{id}/test": ServiceTest;
  "GET /ui/api/demo": DemoView;
  "POST /ui/api/demo": DemoView;
  "DELETE /ui/api/demo": undefined;
  "GET /ui/api/org": Org;
  "PUT /ui/api/org": undefined;
  "GET /ui/api/members": MemberList;
  "PUT /ui/api/members/{user}": undefined;
  "DELETE /ui/api/members/{user}": undefined;
  "DELETE /ui/api/membership": undefined;
  "DELETE /ui/api/members/{user}/sessions": undefined;
  "PUT /ui/api/org/second_factor": undefined;
  "GET /ui/api/invitations": InvitationList;
  "POST /ui/api/invitations": NewInvitation;
  "POST /ui/api/invitations/{id}/link": NewInvitation;
  "DELETE /ui/api/invitations/{id}": undefined;
  "GET /ui/api/audit": AuditPage;
  "GET /ui/api/audit/export": never;
  "GET /ui/api/usage": OrgUsage;
  "GET /ui/api/limits": LimitList;
  "POST /ui/api/limits/requests": undefined;
  "GET /ui/api/tag_drops": TagDropList;
  "POST /ui/api/tag_drops": TagDrop;
  "DELETE /ui/api/tag_drops/{id}": undefined;
  "GET /ui/api/operator/machines": OperatorMachines;
  "GET /ui/api/operator/limits": OperatorLimits;
  "POST /ui/api/operator/orgs": OrgOfOwn;
  "GET /ui/api/operator/orgs/{id}/limits": OperatorOrgLimits;
  "PUT /ui/api/operator/orgs/{id}/limits": undefined;
  "PUT /ui/api/operator/orgs/{id}/requests/{limit}": undefined;
  "GET /ui/api/tokens": TokenList;
  "POST /ui/api/tokens/preview": TokenPreview;
  "GET /ui/api/tokens/{id}/senders": SenderList;
  "GET /ui/api/tokens/{id}/watch": never;
  "GET /ui/api/arrivals": ArrivalList;
  "GET /ui/api/arrivals/watch": never;
  "GET /ui/api/alerts": AlertList;
  "GET /ui/api/alerts/{id}": AlertDetail;
  "POST /ui/api/alerts/test": TestResultList;
  "POST /ui/api/alerts/bulk": BulkAnswer;
  "POST /ui/api/alerts/{id}/duplicate": Alert;
  "GET /ui/api/alerts/{id}/changes": ChangeList;
  "GET /ui/api/alert_views": SavedViewList;
  "POST /ui/api/alert_views": AlertView;
  "DELETE /ui/api/alert_views/{id}": undefined;
  "POST /ui/api/alert_views/shared": AlertView;
  "DELETE /ui/api/alert_views/shared/{id}": undefined;
  "GET /ui/api/incidents/{id}": IncidentDetail;
  "POST /ui/api/incidents/{id}/comments": NewComment;
  "PUT /ui/api/incidents/{id}/comments/{comment}": undefined;
  "GET /ui/api/acknowledge/{key}": LinkedIncident;
  "POST /ui/api/acknowledge/{key}": LinkedIncident;
  "GET /ui/api/maintenance": MaintenanceList;
  "POST /ui/api/maintenance/preview": MaintenancePreview;
  "POST /ui/api/maintenance/{id}/split": Maintenance;
  "GET /ui/api/watch": never;
  "GET /ui/api/deliveries/{id}": DeliveryDetail;
  "GET /ui/api/pictures/{key}": never;
  "GET /ui/api/service_types": ServiceTypeList;
  "GET /ui/api/services/{id}": Service;
  "GET /ui/api/services/{id}/signing": Signing;
  "POST /ui/api/services/{id}/signing": Signing;
  "POST /ui/api/services/test": ServiceTest;
  "POST /ui/api/services/{id}/test": ServiceTest;
  "GET /ui/api/checks": CheckList;
  "POST /ui/api/checks": NewCheck;
  "POST /ui/api/checks/try": CheckState;
  "PUT /ui/api/checks/{id}": Check;
  "DELETE /ui/api/checks/{id}": undefined;
  "GET /ui/api/objectives": ObjectiveList;
  "GET /ui/api/objectives/{id}": ObjectiveDetail;
  "GET /ui/api/objectives/{id}/spent": BudgetSpent;
  "POST /ui/api/objectives/preview": ObjectivePreview;
  "POST /ui/api/query": QueryAnswer;
  "POST /ui/api/changes": ChangesAnswer;
  "GET /ui/api/queries": SavedQueryList;
  "POST /ui/api/queries": SavedQuery;
  "DELETE /ui/api/queries/{id}": undefined;
  "GET /ui/api/metrics": MetricPage;
  "GET /ui/api/metrics/{name}/uses": MetricUseList;
  "GET /ui/api/tags": TagList;
  "POST /ui/api/compose/check": CompositeCheck;
  "GET /ui/api/compose/functions": FunctionList;
  "GET /ui/api/search": SearchAnswer;
  "GET /ui/api/charts": ChartList;
  "GET /ui/api/spaces": SpaceList;
  "PUT /ui/api/spaces/{space}/opened": undefined;
  "PUT /ui/api/spaces/{space}/about": undefined;
  "GET /ui/api/spaces/{space}/layout": Layout;
  "PUT /ui/api/spaces/{space}/layout": SavedVersion;
  "POST /ui/api/spaces/{space}/duplicate": Space;
  "GET /ui/api/spaces/{space}/export": SpaceDocument;
  "POST /ui/api/spaces/import": Space;
  "GET /ui/api/history/{kind}/{id}": HistoryPage;
  "GET /ui/api/history/{kind}/{id}/latest": SavedVersion;
  "GET /ui/api/history/{kind}/{id}/versions/{number}": Version;
  "POST /ui/api/history/{kind}/{id}/versions/{number}/restore": SavedVersion;
  "PUT /ui/api/history/{kind}/{id}/versions/{number}/name": undefined;
  "GET /ui/api/history/{kind}/{id}/editors": never;
  "GET /ui/api/deleted": DeletedList;
  "GET /ui/api/templates": TemplateList;
  "POST /ui/api/templates/{template}": TemplateMade;
  "PUT /ui/api/pins": undefined;
  "GET /ui/api/spaces/{space}/shares": ShareList;
  "POST /ui/api/spaces/{space}/shares": NewShare;
  "DELETE /ui/api/shares/{id}": undefined;
  "GET /ui/api/spaces/{space}/reports": ReportList;
  "POST /ui/api/spaces/{space}/reports": Report;
  "PUT /ui/api/reports/{id}": Report;
  "DELETE /ui/api/reports/{id}": undefined;
  "POST /ui/api/reports/{id}/send": undefined;
  "GET /ui/api/playlists": PlaylistList;
  "POST /ui/api/playlists": Playlist;
  "PUT /ui/api/playlists/{id}": Playlist;
  "DELETE /ui/api/playlists/{id}": undefined;
  "GET /ui/api/playlists/{id}/shares": ShareList;
  "POST /ui/api/playlists/{id}/shares": NewShare;
  "GET /ui/api/shared/{key}/playlist": SharedPlaylist;
  "GET /ui/api/shared/{key}": SharedSpace;
  "POST /ui/api/shared/{key}/query": QueryAnswer;
  "GET /ui/api/shared/{key}/annotations": SharedEventList;
  "GET /ui/api/snapshots/{key}": never;
  "GET /ui/api/streams": never;
};

/** The body that each route reads. */
export type Bodies = {
  "POST /ui/api/session": SignInBody;
  "PUT /ui/api/session": SwitchBody;
  "POST /ui/api/session/second": CodeBody;
  "POST /ui/api/session/second/passkey": undefined;
  "PUT /ui/api/session/second/passkey": PasskeyBody;
  "POST /ui/api/session/passkey": undefined;
  "PUT /ui/api/session/passkey": PasskeyBody;
  "POST /ui/api/proof": ProofBody;
  "POST /ui/api/proof/passkey": undefined;
  "POST /ui/api/second_factor/totp": undefined;
  "PUT /ui/api/second_factor/totp": CodeBody;
  "POST /ui/api/second_factor/codes": undefined;
  "POST /ui/api/second_factor/passkeys/challenge": undefined;
  "POST /ui/api/second_factor/passkeys": NewPasskeyBody;
  "PUT /ui/api/second_factor/passkeys/{id}": NameBody;
  "POST /ui/api/setup/{key}": SetupBody;
  "POST /ui/api/reset": AskResetBody;
  "POST /ui/api/reset/{key}": ResetBody;
  "POST /ui/api/invite/{key}": JoinBody;
  "PUT /ui/api/profile": ProfileBody;
  "POST /ui/api/devices": DeviceBody;
  "PUT /ui/api/devices/{id}": DeviceUpdate;
  "POST /ui/api/devices/{id}/test": undefined;
  "POST /ui/api/demo": undefined;
  "PUT /ui/api/org": OrgUpdate;
  "PUT /ui/api/members/{user}": MemberBody;
  "PUT /ui/api/org/second_factor": DemandBody;
  "POST /ui/api/invitations": InviteBody;
  "POST /ui/api/invitations/{id}/link": undefined;
  "POST /ui/api/limits/requests": LimitRequestBody;
  "POST /ui/api/tag_drops": TagDropBody;
  "POST /ui/api/operator/orgs": NameBody;
  "PUT /ui/api/operator/orgs/{id}/limits": OperatorLimitsBody;
  "PUT /ui/api/operator/orgs/{id}/requests/{limit}": LimitAnswer;
  "POST /ui/api/tokens/preview": TokenUpdate;
  "POST /ui/api/alerts/test": AlertWrite;
  "POST /ui/api/alerts/bulk": BulkBody;
  "POST /ui/api/alerts/{id}/duplicate": undefined;
  "POST /ui/api/alert_views": SavedViewBody;
  "POST /ui/api/alert_views/shared": SavedViewBody;
  "POST /ui/api/incidents/{id}/comments": CommentBody;
  "PUT /ui/api/incidents/{id}/comments/{comment}": CommentBody;
  "POST /ui/api/acknowledge/{key}": AcknowledgeBody;
  "POST /ui/api/maintenance/preview": MaintenanceWrite;
  "POST /ui/api/maintenance/{id}/split": SplitBody;
  "POST /ui/api/services/{id}/signing": RotateBody;
  "POST /ui/api/services/test": ServiceWrite;
  "POST /ui/api/services/{id}/test": undefined;
  "POST /ui/api/checks": CheckBody;
  "POST /ui/api/checks/try": CheckUpdate;
  "PUT /ui/api/checks/{id}": CheckUpdate;
  "POST /ui/api/objectives/preview": ObjectiveWrite;
  "POST /ui/api/query": ManyQueries;
  "POST /ui/api/changes": ChangesBody;
  "POST /ui/api/queries": SavedQueryBody;
  "POST /ui/api/compose/check": CompositeBody;
  "PUT /ui/api/spaces/{space}/opened": undefined;
  "PUT /ui/api/spaces/{space}/about": SpaceAboutUpdate;
  "PUT /ui/api/spaces/{space}/layout": Layout;
  "POST /ui/api/spaces/{space}/duplicate": DuplicateBody;
  "POST /ui/api/spaces/import": SpaceDocument;
  "POST /ui/api/history/{kind}/{id}/versions/{number}/restore": RestoreBody;
  "PUT /ui/api/history/{kind}/{id}/versions/{number}/name": NameBody;
  "POST /ui/api/templates/{template}": undefined;
  "PUT /ui/api/pins": PinsBody;
  "POST /ui/api/spaces/{space}/shares": ShareBody;
  "POST /ui/api/spaces/{space}/reports": ReportUpdate;
  "PUT /ui/api/reports/{id}": ReportUpdate;
  "POST /ui/api/reports/{id}/send": undefined;
  "POST /ui/api/playlists": PlaylistUpdate;
  "PUT /ui/api/playlists/{id}": PlaylistUpdate;
  "POST /ui/api/playlists/{id}/shares": ShareBody;
  "POST /ui/api/shared/{key}/query": SharedQueryBody;
};

/** The events of each route that sends some. */
export type Events = {
  "GET /ui/api/tokens/{id}/watch request": RequestActivity;
  "GET /ui/api/arrivals/watch measurement": MeasurementActivity;
  "GET /ui/api/arrivals/watch request": RequestActivity;
  "GET /ui/api/watch firing": FiringCount;
  "GET /ui/api/history/{kind}/{id}/editors editors": EditorList;
  "GET /ui/api/streams ended": StreamEnded;
  "GET /ui/api/streams said": StreamSaid;
};

/** The answer to what is done later, if at all. */
export type Accepted = Record<string, never>;

/** What somebody says who acknowledges. */
export type AcknowledgeBody = {
  text: string;
};

/** A tag that every measurement of a token gets. */
export type AddedTag = {
  name: string;
  value: string;
};

/** All that the page of one alert shows of its state. */
export type AlertDetail = AlertSummary & {
  /** As in /v1 */
  alert: Alert;
  violating: ViolatingStream[];
  /** The one that holds now; those that follow each other are one */
  snooze?: Snooze;
  snoozes: Snooze[];
  /** Empty where it does not fire */
  incident_key: string;
  /** How often a notification is tried at most, about */
  max_tries: number;
  /** The open one, 0 where it does not fire */
  incident_id: number;
  /** When services were first notified of it, 0 if they were not */
  notified_at: number;
  escalation: StepView[];
  /** Who is notified next while it goes on like this, by time */
  next: NextNotification[];
  /** Seconds that evaluation is behind */
  late: number;
};

/** The alerts of an organization: firing ones first. */
export type AlertList = {
  alerts: AlertSummary[];
  /** When all alerts were last evaluated */
  evaluated_at: number;
  firing: number;
  /** Seconds that evaluation is behind */
  late: number;
};

/** An alert as the interface's lists show it. */
export type AlertSummary = {
  id: number;
  name: string;
  words: SentencePart[];
  state: "ok" | "firing" | "snoozed" | "inactive";
  since: number;
  /** Unless somebody must resume it */
  snoozed_until?: number;
  last_fired_at: number;
  /** When it fired in the last 24 hours */
  strip: [number, number][];
  /** When it was not evaluated: no measurements, or no such alert yet. Missing while that is not known */
  unjudged?: [number, number][];
  /** When maintenance covered it in the same time, and in what part of that it was not evaluated. */
  maintained: [number, number][];
  suspended: [number, number][];
  worst?: WorstStream;
  threshold: number | null;
  services: ServiceSummary[];
  /** When somebody took its open incident on; nobody is reminded of it since. */
  acknowledged_at?: number;
  acknowledged_by?: string;
  severity: "critical" | "warning" | "info" | "";
  labels: Record<string, string>;
  /** Of its escalation */
  steps: number;
  /** That keeps people from being notified of it */
  maintenance?: MaintenanceNow;
  /** Why it cannot be evaluated or saved; until then nobody is notified. */
  trouble?: AlertTrouble;
};

/** Why an alert cannot be evaluated, or what happens to it not be saved. It is tried again; until then the alert stays as it was, and nobody is notified. */
export type AlertTrouble = {
  since: number;
  reason: string;
};

/** A filter of the list of alerts that is kept under a name. */
export type AlertView = {
  id: number;
  name: string;
  /** Everybody in the organization sees it, not who saved it alone */
  shared: boolean;
  filter: AlertViewFilter;
  created_at: number;
  created_by: string;
};

/** What the list of alerts is narrowed to, as its address says it. What is empty narrows nothing. */
export type AlertViewFilter = {
  q?: string;
  state?: "firing" | "acknowledged" | "ok" | "snoozed" | "inactive" | "";
  severity?: "critical" | "warning" | "info" | "none" | "";
  /** Team=checkout,tier=1 */
  label?: string;
  /** Its id */
  service?: string;
};

/** An annotation or an incident of about that time. */
export type AroundThen = {
  kind: "annotation" | "incident";
  id: number;
  title: string;
  /** Of an annotation */
  stream?: string;
  /** Of an incident */
  alert_id?: number;
  /** Seconds after start */
  begins: number;
  fit: number;
};

/** What one kind of sender sent in the last hour. */
export type Arrival = {
  protocol: string;
  user_agent: string;
  measurements: number;
  last_at: number;
};

/** What came in the last hour, and what was refused lately. */
export type ArrivalList = {
  hour: Arrival[];
  problems: Refusal[];
};

/** Who wants a link for a new password. */
export type AskResetBody = {
  email: string;
};

/** A part of the audit log, latest first. Next is where the part after it begins, or 0 if there is none. */
export type AuditPage = {
  audit: AuditEntry[];
  next: number;
  keep_days: number;
};

/** How many percent of the budget of the whole window are left. */
export type BudgetPoint = {
  at: number;
  left: number;
};

/** What spent the budget of an objective: which times, and which values of its tag or which streams. These are left out where there are too many to look at, or where what is good is not counted by the same streams. */
export type BudgetSpent = {
  times: SpentTime[];
  /** A tag, or "" */
  by: string;
  spenders: Spender[];
};

/** What became of it. */
export type BulkAnswer = {
  changed: number[];
  failed: BulkFailure[];
  /** That were made */
  snoozes?: number[];
};

/** A change to several alerts. */
export type BulkBody = {
  ids: number[];
  action: "activate" | "deactivate" | "snooze" | "unsnooze" | "resume" | "acknowledge" | "reopen" | "add service" | "severity" | "labels";
  /** Of snooze; null is until somebody resumes */
  until?: number;
  /** Of unsnooze: those that are taken back, of whichever alert */
  snoozes?: number[];
  /** Of add service */
  service?: number;
  /** Of severity */
  severity?: string;
  /** Of labels: added; an empty value removes one */
  labels?: Record<string, string>;
};

/** Why one alert stays as it was. */
export type BulkFailure = {
  id: number;
  reason: string;
};

/** An alert on how fast a budget burns: over which longer window, and whom it notifies. */
export type BurnAlert = {
  id: number;
  name: string;
  period: number;
  services: string[];
};

/** How fast the budget burns in a pair of windows: the lower of the two rates. It is nil where nothing was counted. */
export type BurnRate = BurnWindow & {
  rate: number | null;
};

/** A pair of windows in which the error budget must burn faster than a limit for somebody to be notified. */
export type BurnWindow = {
  /** Seconds */
  long: number;
  /** Seconds */
  short: number;
  /** How many times as fast as allowed */
  limit: number;
};

/** Who changed an alert, the latest first. */
export type ChangeList = {
  changes: AuditEntry[];
  /** As before, for more of them */
  next?: number;
};

/** A stream that was unlike itself. */
export type ChangedStream = {
  metric: string;
  tags: Record<string, string>;
  /** Null if it was not there */
  before: number | null;
  /** Null if it stopped */
  during: number | null;
  last_week?: number;
  /** These are what a counter rises by in a second */
  rate: boolean;
  unit: string;
  /** Seconds after start */
  begins: number;
  /** 0 to 100 */
  fit: number;
  spreads: number;
};

/** What changed, best fit first, and what else happened then. */
export type ChangesAnswer = {
  changes: ChangedStream[];
  /** How many streams changed */
  found: number;
  streams: number;
  metrics: number;
  /** Streams with too few points to compare */
  sparse: number;
  cut: "" | "streams" | "points" | "time";
  resolution: number;
  around: AroundThen[];
};

/** Asks what changed in a range of time. */
export type ChangesBody = {
  start: number;
  /** Exclusive */
  end: number;
  resolution: number;
  /** The time before, the same time a day or a week before */
  against: "before" | "day" | "week";
  /** A name or a glob; all without */
  metric?: string;
  tags?: Tag[];
  /** Names of metrics */
  without?: string[];
};

/** The charts that a search finds. */
export type ChartList = {
  charts: FoundChart[];
};

/** Looks at something from outside at an interval, or expects to be called. */
export type Check = CheckState & {
  id: number;
  name: string;
  kind: string;
  /** A URL, host:port or the name of a host; of a heartbeat "" */
  target: string;
  /** Between runs, or between the calls that are expected */
  every: number;
  /** By which a call may be late */
  grace: number;
  /** Until an answer counts as none */
  timeout: number;
  /** Seconds from which on an answer is slow, though not down; 0 for never */
  slow: number;
  /** What an answer has to hold: words of a page, an address of a name */
  expect: string;
  /** How long a certificate has to go on */
  days: number;
  active: boolean;
  /** Where it runs: server, agent:NAME or tag:NAME=VALUE. */
  places: string[];
  /** The one that was made with it; 0 for none */
  alert: number;
  /** The one for places that fall silent; 0 for none */
  silence_alert: number;
  created_at: number;
  /** The latest of every place */
  results: CheckResult[];
  /** The window in which nobody is notified of it now; null if there is none. */
  maintenance: CheckMaintenance | null;
};

/** A check to make, and whom to notify. */
export type CheckBody = {
  name?: string;
  kind?: string;
  target?: string;
  every?: number;
  grace?: number;
  timeout?: number;
  /** Seconds from which on an answer is slow */
  slow?: number;
  expect?: string;
  days?: number;
  active?: boolean;
  /** Where it runs: server, agent:NAME, tag:NAME=VALUE */
  places?: string[];
  /** Of the alert that is made with it */
  services: number[];
  /** How long it has to be down; 0 for at once */
  after: number;
  /** In which places it has to be down: any, half or all */
  down_in: string;
  /** Also an alert for agents that run it no more */
  silence: boolean;
};

/** The checks of an organization, and the agents that ask for some. */
export type CheckList = {
  checks: Check[];
  places: Place[];
};

/** The maintenance window that covers a check. */
export type CheckMaintenance = {
  id: number;
  name: string;
  until: number;
};

/** What a place found. */
export type CheckResult = {
  place: string;
  ran_at: number;
  up: boolean;
  /** Seconds */
  duration: number;
  /** What was wrong, or what was found */
  said: string;
};

/** How a check is. */
export type CheckState = {
  /** Last run, or last call; 0 for none */
  ran_at: number;
  /** When the job that calls said that it starts; 0 where it did not */
  started_at: number;
  up: boolean;
  /** Seconds */
  duration: number;
  /** What was wrong, or what was found */
  said: string;
};

/** A partial change: what is left out stays. */
export type CheckUpdate = {
  name?: string;
  kind?: string;
  target?: string;
  every?: number;
  grace?: number;
  timeout?: number;
  slow?: number;
  expect?: string;
  days?: number;
  active?: boolean;
  places?: string[];
};

/** A code of an authenticator app, or a recovery code. */
export type CodeBody = {
  code: string;
};

/** What somebody says of an incident. */
export type CommentBody = {
  text: string;
};

/** A function as the editor shows it. */
export type ComposeFunction = {
  name: string;
  signature: string;
  help: string;
  options: string[];
  ours: boolean;
};

/** A composite to check. */
export type CompositeBody = {
  composite: string;
};

/** Says whether a composite can be read. */
export type CompositeCheck = {
  error?: QueryError;
  formatted?: string;
  ok: boolean;
};

/** An alert that a maintenance window covers. */
export type CoveredAlert = {
  id: number;
  name: string;
};

/** What an organization sent on one day. */
export type DayUsage = {
  /** Midnight UTC */
  day: number;
  samples: number;
};

/** What can be restored, the last deleted first. */
export type DeletedList = {
  deleted: DeletedThing[];
};

/** Something that was deleted and can still be restored. */
export type DeletedThing = {
  kind: "space" | "chart" | "alert" | "metric";
  id: string;
  name: string;
  /** The version to restore: the last one */
  number: number;
  at: number;
  actor: string;
};

/** A delivery and the message that the service is sent. */
export type DeliveryDetail = Delivery & {
  message: Message;
};

/** Whether an organization demands a second factor. */
export type DemandBody = {
  demanded: boolean;
};

/** The organization with the demo. */
export type DemoOrg = {
  id: number;
  name: string;
};

/** How far the demo is: a made-up shop in an organization of its own. */
export type DemoView = {
  /** How much of it is filled, from 0 to 1 */
  done: number;
  error: string;
  org: DemoOrg | null;
  /** Elsewhere: the person is no Admin of it, or the whole server is a demo */
  state: "none" | "filling" | "ready" | "failed" | "elsewhere";
};

/** A browser or a telephone on which a person is notified of the alerts of an organization. It is kept and delivered to as a service that is theirs alone. */
export type Device = {
  id: number;
  name: string;
  /** Says of which alerts it is notified: of all, of those that are warning or critical, or of critical ones. */
  severity: "all" | "warning" | "critical";
  /** Has it notified also when they clear. */
  cleared: boolean;
  /** What alerts must have for it to be notified of them; none is of all. */
  labels: Record<string, string>;
  /** When it is notified of critical alerts alone; null is never. */
  quiet: QuietHours | null;
  /** Tells subscriptions apart without saying where they are: a device finds itself by it. */
  fingerprint: string;
  created_at: number;
};

/** A browser that is to be notified, with its subscription. */
export type DeviceBody = {
  name: string;
  severity: "all" | "warning" | "critical";
  cleared: boolean;
  labels: Record<string, string>;
  quiet: QuietHours | null;
  endpoint: string;
  p256dh: string;
  auth: string;
};

/** The devices on which somebody is notified. */
export type DeviceList = {
  devices: Device[];
  /** What a browser subscribes with. */
  key: string;
};

/** A partial change: fields left out stay as they are. */
export type DeviceUpdate = {
  name?: string;
  severity?: "all" | "warning" | "critical";
  cleared?: boolean;
  labels?: Record<string, string>;
  quiet?: QuietHours | null;
};

/** The name of the copy. */
export type DuplicateBody = {
  name: string;
};

/** Somebody who has an editor open. */
export type Editor = {
  name: string;
};

/** Who else has an editor of a thing open, and its latest version. */
export type EditorList = {
  editors: Editor[];
  version: number;
  /** When that was saved */
  at: number;
  /** By whom */
  actor: string;
};

/** How many alerts fire. */
export type FiringCount = {
  count: number;
};

/** An alert in the palette. */
export type FoundAlert = {
  id: number;
  name: string;
  /** Since when it fires; 0 where it does not */
  since: number;
  state: "ok" | "firing" | "snoozed" | "inactive";
};

/** A chart that a search finds, and where it is. */
export type FoundChart = {
  id: number;
  name: string;
  space: number;
  space_name: string;
  /** That it shows */
  metrics: string[];
};

/** A space in the palette. */
export type FoundSpace = {
  charts: number;
  id: number;
  name: string | null;
  /** When the person last looked at it; 0 for never */
  opened_at: number;
};

/** The functions of composites. */
export type FunctionList = {
  functions: ComposeFunction[];
};

/** Where one chart is, on a grid of twelve columns. */
export type GridPosition = {
  chart: number;
  col: number;
  row: number;
  width: number;
  height: number;
  /** The number of the section it is in, from 1; 0 is above all. */
  section?: number;
};

/** Versions of a thing, the newest first. */
export type HistoryPage = {
  versions: Version[];
  /** The version before the last of them, to compare that with; it has the number to go on before. */
  earlier?: Version;
  /** How many are kept; 0 for all */
  kept: number;
};

/** An incident and everything that happened to it. */
export type IncidentDetail = {
  incident: Incident | null;
  /** The newest first */
  timeline: TimelineEntry[];
};

/** Asks a person to join an organization. Anyone who has its link and is, or becomes, the account of its address can accept it, once. */
export type Invitation = {
  id: number;
  /** Lower case */
  email: string;
  role: "admin" | "member" | "viewer";
  created_at: number;
  created_by: string;
  expires_at: number;
  /** Says that only the owner of the mailbox has the link. */
  mailed: boolean;
};

/** Who was invited and has not joined yet. */
export type InvitationList = {
  invitations: Invitation[];
  /** Links are mailed */
  mail: boolean;
};

/** Who is invited, and as what. */
export type InviteBody = {
  email: string;
  role: "admin" | "member" | "viewer";
};

/** What somebody is invited to. */
export type Invited = {
  email: string;
  expires_at: number;
  org_name: string;
  role: "admin" | "member" | "viewer";
  /** The browser's session is that of this address */
  signed_in: boolean;
};

/** Accepts an invitation. */
export type JoinBody = {
  /** Makes the account of the address */
  new?: boolean;
  /** Of the new account */
  name?: string;
  /** Of the account; not needed where its owner is signed in */
  password?: string;
};

/** Where the charts of a space are, and what the page starts with. */
export type Layout = {
  layout: GridPosition[];
  sections?: Section[];
  default_tags: Tag[];
  annotations: string[];
  updated_at: number;
  updated_by: string;
  /** That of the space. A layout that is saved with it is refused if there is another meanwhile; 0 replaces whatever there is. */
  version?: number;
};

/** What the operator says to a LimitRequest. */
export type LimitAnswer = {
  accept: boolean;
  /** What is allowed from now on; what was asked for where it is left out */
  value?: number;
  answer?: string;
};

/** What an organization used of a limit on one day: the most that was counted. */
export type LimitDay = {
  /** Midnight UTC */
  day: number;
  use: number;
};

/** The answer to GET /ui/api/limits. */
export type LimitList = {
  limits: LimitUse[];
  /** To the operator, one of each limit at most */
  requests: LimitRequest[];
  /** Of those whose use is kept by day */
  past: LimitPast[];
};

/** What was used of a limit in the last 30 days, and when it is reached at this pace. */
export type LimitPast = {
  name: string;
  /** The most of each day, the oldest first; today's is still growing */
  days: LimitDay[];
  /** The day; null where the days do not say that it is */
  reaches_at: number | null;
};

/** More of something that an organization asks the operator for, with the numbers as they were then. */
export type LimitRequest = {
  org_id: number;
  org_name: string;
  name: string;
  /** Of the limit */
  title: string;
  unit: string;
  wanted: number;
  allowed: number;
  /** Nil where nothing is counted */
  use: number | null;
  note: string;
  asked_by: string;
  asked_at: number;
  state: "open" | "accepted" | "declined";
  /** 0 while it is open */
  answered_at: number;
  /** What was allowed instead, where it was accepted */
  granted: number;
  /** What the operator said to it */
  answer: string;
};

/** What somebody asks the operator for. */
export type LimitRequestBody = {
  /** Of the limit */
  name: string;
  wanted: number;
  note?: string;
};

/** A limit of an organization with what is used of it. */
export type LimitUse = {
  name: string;
  title: string;
  unit: string;
  scope: string;
  effect: string;
  /** 0 is none */
  limit: number;
  default: number;
  /** The organization has its own */
  own: boolean;
  /** Nil where nothing is counted */
  use: number | null;
  fixed: boolean;
};

/** What the page behind the link of a notification shows. */
export type LinkedIncident = {
  alert_id: number;
  name: string;
  words: SentencePart[];
  severity: "critical" | "warning" | "info" | "";
  /** That took part */
  streams: number;
  since: number;
  acknowledged_at: number;
  acknowledged_by: string;
  cleared_at: number | null;
  org: string;
  org_id: number;
  /** The e-mail address of who is signed in, or empty */
  as: string;
};

/** A server that uses the control store, as operators see it. */
export type Machine = MachineLoad & {
  /** Stays the same when it is started again */
  id: string;
  address: string;
  version: string;
  /** Where its measurements are */
  engine: string;
  started_at: number;
  /** Seconds since it last said that it is there */
  heartbeat: number;
  state: string;
  /** What it does for all of them */
  does: string[];
};

/** The right to do something for all machines. */
export type MachineLease = {
  name: string;
  /** The id of a machine; empty if none has it */
  holder: string;
  /** Grows with each process that takes it */
  number: number;
};

/** What a machine says with its heartbeat: where it is, how much it has to do, and room for. */
export type MachineLoad = {
  /** Its setting; empty if it has none */
  zone: string;
  /** It was told to stop, and finishes what is under way */
  draining: boolean;
  /** Recorded by it, a second */
  measurements: number;
  /** Bytes it uses */
  memory: number;
  /** Bytes it is to use at most; 0 if nothing says so */
  memory_limit: number;
  /** Bytes, of the disk that its data directory is on */
  disk_free: number;
  disk_size: number;
  /** Seconds that the evaluation of alerts is late, where it evaluates them */
  behind: number;
  /** The most that it was behind in each minute of the last hour that it runs, oldest first. */
  behind_past: number[];
  /** For measurements, a minute, of the last five minutes */
  queries: number;
  /** Seconds in which 95 of 100 of them were answered */
  query_p95: number;
};

/** The servers on one control store, and the leases that say which of them does what for all. */
export type Machines = {
  machines: Machine[];
  leases: MachineLease[];
};

/** The maintenance windows of an organization. */
export type MaintenanceList = {
  windows: WindowView[];
};

/** A maintenance window that is on. */
export type MaintenanceNow = {
  id: number;
  name: string;
  until: number;
  /** Says that the alert is not evaluated meanwhile. */
  suspended?: boolean;
};

/** What a window would do. */
export type MaintenancePreview = {
  /** That it has to do with */
  alerts: CoveredAlert[];
  /** Of alerts there are */
  total: number;
  next: Occurrence[];
  /** Those of the next year in which clocks are changed */
  shifts: Occurrence[];
};

/** What a page of charts asks for at once. */
export type ManyQueries = {
  start: number;
  /** Exclusive */
  end: number;
  resolution: number;
  queries: OneQuery[];
  /** Values for tag filters that are dynamic */
  dynamic?: Tag[];
};

/** A metric that has a new measurement. */
export type MeasurementActivity = {
  at: number;
  name: string;
};

/** A user's place in an organization. */
export type Member = {
  org_id: number;
  user_id: number;
  role: "admin" | "member" | "viewer";
  email: string;
  name: string;
  org_name: string;
  created_at: number;
  /** Says that the person has one; only Admins see it. */
  second_factor?: boolean;
};

/** A member's new role. */
export type MemberBody = {
  role: "admin" | "member" | "viewer";
};

/** Who belongs to an organization. */
export type MemberList = {
  members: Member[];
};

/** What a service is sent, for people to read; secrets are masked. */
export type Message = {
  content_type: string;
  body: string;
  subject?: string;
  /** Why there is no body */
  problem?: string;
};

/** A part of the metrics that a search matches. */
export type MetricPage = {
  /** Where it matches none */
  did_you_mean?: string;
  metrics: MetricSummary[];
  query: Query;
};

/** How many streams a metric has. */
export type MetricSize = {
  name: string;
  streams: number;
};

/** A metric as lists of metrics show it. */
export type MetricSummary = {
  name: string;
  display_name: string | null;
  type: string;
  units: string;
  /** Over all its streams, of the last hour */
  last_value: number | null;
  last_at: number;
  streams: number;
};

/** Something that uses a metric. */
export type MetricUse = {
  id: number;
  name: string | null;
};

/** Where a metric is used. */
export type MetricUseList = {
  alerts: MetricUse[];
  spaces: MetricUse[];
};

/** A new name. */
export type NameBody = {
  name: string;
};

/** A check that was just made: the only answer that has the address of a heartbeat. */
export type NewCheck = {
  check: Check | null;
  /** That is to be called; "" of others */
  url: string;
};

/** A comment that was added. */
export type NewComment = {
  id: number;
};

/** An invitation with a link that was just made. */
export type NewInvitation = Invitation & {
  /** Where the server has no mail: for the Admin to pass on */
  url?: string;
};

/** A passkey that was just made, and the recovery codes that came with it. */
export type NewPasskey = {
  codes: string[];
  passkey: Passkey | null;
};

/** A new passkey. */
export type NewPasskeyBody = {
  name: string;
  key: string;
  /** As JSON */
  credential: string;
};

/** A link that was just made: the only answer that has it. */
export type NewShare = {
  created_at: number;
  expires_at: number;
  id: number;
  last_opened_at: number;
  /** Null: viewers may filter */
  locked_tags: Tag[] | null;
  name: string;
  url: string;
};

/** What an authenticator app makes codes of, until the first of them confirms it. */
export type NewTOTP = {
  secret: string;
  /** For a QR code */
  uri: string;
};

/** Who is notified when. */
export type NextNotification = {
  at: number;
  kind: "reminder" | "escalation" | "maintenance over" | "snooze over";
  step?: number;
  services: ServiceSummary[];
};

/** What was counted on one day. */
export type ObjectiveDay = {
  /** When it begins */
  at: number;
  total: number;
  bad: number;
  /** How many percent of the budget of the window that is. */
  spent: number;
};

/** An objective, how it does, and the alerts that watch how fast its budget burns. */
export type ObjectiveDetail = {
  objective: Objective;
  status: ObjectiveStatus;
  /** The worst of all values of the tag that it groups by. */
  state: "met" | "at risk" | "missed" | "no data";
  values: ObjectiveValue[];
  /** How many values there are */
  of: number;
  /** How many seconds of maintenance are left out of the window. */
  left_out: number;
  alerts: BurnAlert[];
};

/** The objectives of an organization and how they do. */
export type ObjectiveList = {
  objectives: ObjectiveSummary[];
};

/** How an objective would do, and in how many of the last windows it would have been met. */
export type ObjectivePreview = {
  status: ObjectiveStatus;
  met: number;
  of: number;
  values: number;
};

/** How an objective does. */
export type ObjectiveStatus = {
  state: "met" | "at risk" | "missed" | "no data";
  /** Counted in the window */
  total: number;
  bad: number;
  /** How many percent were good, and Left how many percent of the error budget are left: less than 0 if more was spent. Nil without data. */
  achieved: number | null;
  left: number | null;
  /** How many more until it is spent */
  may_fail: number;
  /** The burn rate of the last hour, and Lasts for how many seconds the budget does at it; nil if nothing failed in it. */
  hour_rate: number | null;
  lasts: number | null;
  burn: BurnRate[];
  line: BudgetPoint[];
  day_list: ObjectiveDay[];
};

/** An objective in a list. Of one that groups by a tag it says how the value does that has the least budget left. */
export type ObjectiveSummary = Objective & {
  state: "met" | "at risk" | "missed" | "no data";
  /** Percent */
  achieved: number | null;
  /** Percent of the error budget */
  left: number | null;
  value: string;
};

/** How an objective does for one value of its tag. */
export type ObjectiveValue = {
  value: string;
  state: "met" | "at risk" | "missed" | "no data";
  total: number;
  bad: number;
  /** Percent */
  achieved: number | null;
  /** Percent of its error budget */
  left: number | null;
};

/** A time at which a maintenance window is on. Shift is by how many seconds it is longer than usual because the clocks are changed in it. */
export type Occurrence = {
  start: number;
  end: number;
  shift?: number;
};

/** What the button for a sign-in provider says. */
export type OidcTitle = {
  title: string;
};

/** A value of a token that was rotated out and still works. */
export type OldValue = {
  /** How many still use it */
  senders: number;
  until: number;
};

/** Asks for the streams of a metric or for a composite. */
export type OneQuery = {
  /** Comes back with the result */
  id: string;
  metric?: string;
  tags?: Tag[];
  /** Folds streams into one line per group_by; without, each is a line */
  group_function?: string;
  /** Names of tags */
  group_by?: string[];
  summary_function?: string;
  /** Instead of a metric */
  composite?: string;
  /** How many values of all streams, or of each group_by, are in ranges of values: a line for each range */
  distribution?: boolean;
  /** Of a distribution, 0 to 100: a line for each, of all values */
  percentiles?: number[];
  /** More streams than these (1 to 2000), each of which would be a line, are answered with a band and at most 5 that are apart from it */
  summarize?: number;
};

/** The answer to OneQuery. What is wrong with one query is its own affair: the others are answered. */
export type OneResult = {
  id: string;
  series: OneSeries[];
  /** How many it reads; lines beyond a limit are counted, not sent */
  streams: number;
  /** Seconds between points, of a composite */
  period?: number;
  error?: QueryError;
};

/** One line of a chart. */
export type OneSeries = {
  metric?: string;
  tags: Record<string, string>;
  /** Seconds; without them, those of the line before */
  times?: number[];
  values: number[];
  /** Of a distribution: where its range begins */
  low?: number;
  /** And ends, which is no longer in it */
  high?: number;
  /** Of a distribution: which it is, 0 to 100 */
  percentile?: number;
  /** A line of a band, not a stream: p10, median or p90 of all streams at each step, low or high of those that are not apart */
  summary?: string;
};

/** One browser in which somebody is signed in. */
export type OpenSession = {
  address: string;
  created_at: number;
  /** It is the one that asks */
  current: boolean;
  id: number;
  last_seen_at: number;
  user_agent: string;
};

/** What organizations use of their limits, and what they ask for. Of what they have it says names and numbers alone. */
export type OperatorLimits = {
  /** Organizations that match, of which 200 are listed */
  found: number;
  /** Those nearest to a limit first */
  orgs: OperatorOrg[];
  /** That wait for an answer */
  requests: LimitRequest[];
  /** The limits where an organization has none of its own */
  server: LimitUse[];
  /** Organizations there are */
  total: number;
};

/** Limits that an operator sets for an organization. */
export type OperatorLimitsBody = {
  /** Numbers by name, 0 for no limit; null is the server's value again */
  limits: Record<string, number | null>;
};

/** The servers on the control store. */
export type OperatorMachines = Machines & {
  orgs: number;
  /** Of all organizations */
  streams: number;
};

/** An organization as operators see it. */
export type OperatorOrg = {
  id: number;
  name: string;
  /** Limits of which 80 % are used */
  near: number;
  /** The three that come first */
  nearest: LimitUse[];
  /** Limits with a value of their own */
  own: number;
};

/** One organization as operators see it. */
export type OperatorOrgLimits = {
  id: number;
  limits: LimitUse[];
  name: string;
  requests: LimitRequest[];
};

/** An organization and how long it keeps measurements. */
export type Org = {
  /** Alerts may name metrics that do not exist yet */
  alerts_before_metrics: boolean;
  /** For how long new tokens may be valid; 0 is for ever */
  token_max_days: number;
  created_at: number;
  id: number;
  name: string;
  retention: RetentionTier[];
  /** Members need one */
  second_factor: boolean;
  /** What addresses of pages name it by; empty for its id */
  short_name: string;
};

/** An organization that somebody is a member of. */
export type OrgOfOwn = {
  id: number;
  name: string;
  role: "admin" | "member" | "viewer";
};

/** A change to an organization. */
export type OrgUpdate = {
  name?: string;
  short_name?: string;
  alerts_before_metrics?: boolean;
  token_max_days?: number;
};

/** How much an organization stores. */
export type OrgUsage = {
  bytes: number;
  /** Of the last 30 */
  days: DayUsage[];
  metrics: number;
  samples: number;
  streams: number;
  /** The metrics with most streams */
  top: MetricSize[];
};

/** A credential of WebAuthn, in a device or a password manager. */
export type Passkey = {
  id: number;
  name: string;
  created_at: number;
  /** 0 if never */
  used_at: number;
};

/** The answer of an authenticator. */
export type PasskeyBody = {
  key: string;
  /** As JSON */
  credential: string;
};

/** What an authenticator has to answer. */
export type PasskeyChallenge = {
  /** Comes back with the answer */
  key: string;
  /** Of WebAuthn, as JSON */
  options: string;
};

/** The spaces that somebody pins, in order. */
export type PinsBody = {
  /** At most 8 */
  spaces: number[];
};

/** An agent that runs checks. */
export type Place = {
  name: string;
  tags: Record<string, string>;
  /** When it last asked */
  seen_at: number;
};

/** A list of spaces that a screen on the wall shows in turn. */
export type Playlist = {
  id: number;
  name: string;
  spaces: PlaylistSpace[];
  created_at: number;
  created_by: string;
};

/** The playlists of an organization. */
export type PlaylistList = {
  playlists: Playlist[];
};

/** One turn of a playlist. */
export type PlaylistSpace = {
  /** Which may have been deleted since */
  space: number;
  /** How long it is shown */
  seconds: number;
  /** -6h, today or yesterday; "" for the last six hours */
  range: string;
  /** In place of those that the space begins with */
  tags?: Tag[];
};

/** A change to a playlist. */
export type PlaylistUpdate = {
  name?: string;
  spaces?: PlaylistSpace[];
};

/** What somebody changes of themselves. */
export type ProfileBody = {
  name?: string;
  password?: string;
  current_password?: string;
};

/** What somebody proves with who they are: one of these. */
export type ProofBody = {
  password?: string;
  /** Of an authenticator app, or a recovery code */
  code?: string;
  /** Of a challenge */
  key?: string;
  /** The answer to it, as JSON */
  credential?: string;
};

/** What somebody may prove with that it is them. */
export type Proofs = {
  /** Recovery codes are left */
  codes: boolean;
  /** By signing in once more */
  oidc: OidcTitle | null;
  /** Their names */
  passkeys: string[];
  password: boolean;
  /** An authenticator app */
  totp: boolean;
};

/** The lines of charts. */
export type QueryAnswer = {
  resolution: number;
  results: OneResult[];
};

/** Says what is wrong with a query and, for a composite, where. */
export type QueryError = {
  message: string;
  /** Where it is, in characters */
  offset: number;
  /** How many characters it has */
  length: number;
  /** What to write there instead */
  suggestion?: string;
};

/** A part of every day, by the clocks of a time zone. */
export type QuietHours = {
  /** 22:00 */
  from: string;
  /** 07:00; before the start, it is on the next day */
  to: string;
  /** Europe/Berlin */
  zone: string;
};

/** Shown once. There are none if those of before still work. */
export type RecoveryCodes = {
  codes: string[];
};

/** A request that was refused. */
export type Refusal = {
  at: number;
  status: number;
  reason: string;
  user_agent: string;
  /** The last four characters of an unknown token */
  token_ends: string;
};

/** A picture of a space that is sent to services again and again. */
export type Report = ReportState & {
  id: number;
  space: number;
  name: string;
  schedule: Schedule;
  /** The time it shows: -1d, today or yesterday; "" for the last six hours */
  range: string;
  /** In place of those that the space begins with */
  tags?: Tag[];
  /** Some of which may have been deleted since */
  services: number[];
  paused: boolean;
  created_at: number;
  created_by: string;
};

/** The reports of a space. */
export type ReportList = {
  reports: Report[];
};

/** What became of a report, and when it is sent next. */
export type ReportState = {
  /** 0 while it is paused */
  due_at: number;
  /** When somebody wanted it at once; 0 once it was sent */
  asked_at: number;
  /** 0 of one that never was */
  sent_at: number;
  /** Why it was not sent the last time, or did not arrive; "" if it did */
  problem: string;
};

/** A change to a report: what is left out stays. */
export type ReportUpdate = {
  name?: string;
  schedule?: Schedule;
  range?: string;
  tags?: Tag[];
  services?: number[];
  paused?: boolean;
};

/** A request that was answered. */
export type RequestActivity = {
  at: number;
  user_agent: string;
  /** The tag host of what was sent, else the address */
  sender: string;
  status: number;
  method: string;
  path: string;
  /** Why it was refused */
  reason: string;
  /** The least role that would do, where the token's does not */
  needs: string;
  /** The last four characters of an unknown token; empty of anything shorter than 16 */
  token_ends: string;
};

/** A new password. */
export type ResetBody = {
  password: string;
};

/** Asks for a version to be brought back. */
export type RestoreBody = {
  /** The latest version that the person saw; a later one is not overwritten */
  seen?: number;
};

/** How long measurements of one resolution are kept, in seconds. */
export type RetentionTier = {
  retention: number;
  window: number;
};

/** Asks for a fresh signing secret. */
export type RotateBody = {
  /** For how many seconds the secret before it signs as well. */
  overlap: number;
};

/** A page of Explore that is kept under a name: everybody in the organization sees it. */
export type SavedQuery = {
  id: number;
  name: string;
  /** The part of the page's address after the question mark: metric=cpu&tag.host=web-01&b.metric=errors. */
  search: string;
  created_at: number;
  /** Its owner */
  created_by: string;
};

/** A page of Explore that is to be kept. */
export type SavedQueryBody = {
  name: string;
  /** Of its address */
  search: string;
};

/** The pages of Explore that an organization keeps. */
export type SavedQueryList = {
  queries: SavedQuery[];
};

/** The number of a version. */
export type SavedVersion = {
  version: number;
};

/** A view of the list of alerts that somebody keeps. */
export type SavedViewBody = {
  name: string;
  filter: AlertViewFilter;
};

/** The views that somebody sees: everybody's, then their own. */
export type SavedViewList = {
  views: AlertView[];
};

/** When something is done again and again, by the clocks of a time zone. */
export type Schedule = {
  /** Day, week or month */
  every: string;
  /** Of every week: mon, tue, wed, thu, fri, sat or sun */
  weekday?: string;
  /** Of every month: 1 to 31; where there is no such day, the last one */
  day?: number;
  /** 09:00 */
  time: string;
  /** Europe/Berlin */
  zone: string;
};

/** A tag that measurements, or streams that are read, must have. */
export type ScopeTag = {
  name: string;
  values: string[];
};

/** What the palette shows of a search. */
export type SearchAnswer = {
  alerts: FoundAlert[];
  charts: FoundChart[];
  metrics: MetricSummary[];
  spaces: FoundSpace[];
};

/** What somebody has to prove a second time who they are. */
export type SecondFactors = {
  /** Recovery codes */
  codes_left: number;
  /** Organizations that demand a second factor */
  demanded_by: string[];
  passkeys: Passkey[];
  /** An authenticator app */
  totp: boolean;
  /** Since when */
  totp_at: number;
};

/** Who is signing in, and what they may go on with. */
export type SecondStep = {
  /** Recovery codes are left */
  codes: boolean;
  email: string;
  /** Their names */
  passkeys: string[];
  /** An authenticator app */
  totp: boolean;
};

/** A part of a space that can be folded: a line with its name, and a grid of its own below it. */
export type Section = {
  name: string;
  /** For who did not fold or unfold it themselves */
  folded?: boolean;
};

/** Senders to which the same would happen. Who sends a stream its tags host, source, host.name or instance say. */
export type SenderGroup = {
  /** In order, at most 100; an empty one is that no tag tells */
  names: string[];
  /** Of senders */
  count: number;
  /** They sent in the last day */
  values: number;
  /** Of these */
  refused: number;
  /** At most five, the one with most values first */
  reasons: SenderReason[];
};

/** Who used a token in thirty days, and what for. */
export type SenderList = {
  /** Null where no value was rotated out that still works */
  old_value: OldValue | null;
  senders: SenderView[];
  uses: UseView[];
};

/** Why some of what a sender sends would be refused, or why that is not known. */
export type SenderReason = {
  kind: "metric" | "tag" | "network" | "some_network" | "unknown_network";
  /** Names of metrics such as queue.*, a tag, or an address */
  what: string;
  /** That would be refused; 0 where it is not known how many */
  values: number;
};

/** One program that uses a token, over thirty days. A token has at most 1,000 of them a day; the rest are counted as others. */
export type SenderView = {
  user_agent: string;
  /** The tag host (or the old source) of what was sent, else the address */
  sender: string;
  requests: number;
  /** Requests of each day */
  days: number[];
  last_at: number;
  /** It still uses a value that was rotated out */
  old: boolean;
  /** Names of metrics, a few */
  sends: string[];
};

/** A piece of a sentence, with the blanks around it. */
export type SentencePart = {
  kind: "metric" | "verb" | "quantity" | "words";
  /** Of a quantity: as String writes it */
  text: string;
  /** Of a quantity, with its unit */
  value?: number;
  unit?: string;
};

/** One setting of a kind of service. */
export type ServiceField = {
  name: string;
  label: string;
  help?: string;
  required: boolean;
  /** Shown only to those who may see secrets */
  secret: boolean;
  /** A text of several lines */
  long?: boolean;
  /** The values there are, if they are few. */
  choices?: string[];
};

/** A service that an alert notifies. */
export type ServiceSummary = {
  id: number;
  type: string;
  title: string;
};

/** How a service took a test. */
export type ServiceTest = {
  /** In the service's words */
  answer: string;
  duration_ms: number;
  ok: boolean;
};

/** A kind of service: what it is called and what settings it takes. Package notify has a sender for each that is not Dead. */
export type ServiceType = {
  type: string;
  title: string;
  /** The destination no longer exists; taken so that old set-ups can be imported */
  dead?: boolean;
  fields: ServiceField[];
  /** Says that requests are signed: the receiver is the user's own, so it can be taught to check. */
  signed?: boolean;
  /** Says that pictures of spaces can be sent to it. */
  pictures?: boolean;
};

/** The kinds of service there are. */
export type ServiceTypeList = {
  types: ServiceType[];
};

/** Who is signed in, and where. */
export type Session = {
  /** The organization has metrics */
  has_data: boolean;
  /** The organization demands a second factor before anything else */
  must_enrol: boolean;
  /** The person looks after the server */
  operator: boolean;
  org: SessionOrg;
  orgs: OrgOfOwn[];
  role: "admin" | "member" | "viewer";
  /** The address of the server, as clients reach it */
  server: string;
  user: SessionOwner;
  version: string;
};

/** Where somebody is signed in. */
export type SessionList = {
  sessions: OpenSession[];
};

/** The organization that somebody looks at. */
export type SessionOrg = {
  /** It is the made-up one */
  demo?: boolean;
  id: number;
  /** Addresses that name no organization lead here */
  last: boolean;
  name: string;
  /** What addresses of pages name it by; empty for its id. */
  short_name: string;
};

/** Who is signed in. */
export type SessionOwner = {
  email: string;
  id: number;
  name: string;
};

/** The first organization and its owner. */
export type SetupBody = {
  org_name: string;
  email: string;
  password: string;
};

/** Says that a link for the first start works. */
export type SetupCheck = {
  email_hint: string;
};

/** A link by which anybody can look at one space, or at those of one playlist. */
export type Share = {
  id: number;
  /** 0 for a playlist */
  space: number;
  /** 0 for a space */
  playlist: number;
  name: string;
  created_at: number;
  created_by: string;
  expires_at: number;
  last_opened_at: number;
  /** Null: viewers may filter */
  locked_tags: Tag[] | null;
};

/** A link to make. */
export type ShareBody = {
  name: string;
  /** Seconds */
  expires_in: number;
  /** Null: viewers may filter */
  locked_tags: Tag[] | null;
};

/** The links to a space that work. */
export type ShareList = {
  shares: Share[];
};

/** An annotation and its stream. */
export type SharedEvent = Event & {
  stream: string;
};

/** The annotations of a shared space. */
export type SharedEventList = {
  events: SharedEvent[];
};

/** What a link shows in wall form: the spaces of a playlist, or the one space that the link is to. */
export type SharedPlaylist = {
  expires_at: number;
  name: string;
  org: string;
  spaces: SharedTurn[];
};

/** Asks for the data of one chart of a shared space. */
export type SharedQueryBody = {
  start: number;
  /** Exclusive */
  end: number;
  resolution: number;
  /** Of a playlist */
  space?: number;
  chart: number;
  /** What takes the place of tag filters that are dynamic */
  dynamic?: Tag[];
};

/** A space as viewers of a link see it. */
export type SharedSpace = {
  annotations: string[];
  charts: Chart[];
  default_tags: Tag[];
  expires_at: number;
  layout: GridPosition[];
  sections?: Section[];
  /** Null: viewers may filter */
  locked_tags: Tag[] | null;
  name: string;
  org: string;
};

/** One turn of a playlist as viewers of a link see it. */
export type SharedTurn = PlaylistSpace & {
  name: string;
  /** It was deleted */
  gone: boolean;
};

/** Somebody who signs in. */
export type SignInBody = {
  email: string;
  password: string;
};

/** How people can sign in. */
export type SignInOptions = {
  /** Links for a new password are mailed */
  mail_reset: boolean;
  /** Nobody has an account yet */
  needs_setup: boolean;
  /** Null where there is no such provider */
  oidc: OidcTitle | null;
  /** Without, every route that takes one answers 403 */
  passwords: boolean;
};

/** What requests to a service are signed with. */
export type Signing = {
  secret: string;
  since: number;
  /** Until when the secret before this one signs as well, or 0. */
  old_until: number;
};

/** A change of what is kept of a space. */
export type SpaceAboutUpdate = {
  tags?: string[];
  /** The id of a member; 0 for nobody */
  owner?: number;
};

/** A space with everything in it, as one document. */
export type SpaceDocument = {
  /** Of the form of the document: 1 */
  tidemark_space: number;
  name: string;
  charts: Chart[];
  layout: GridPosition[];
  sections?: Section[];
  default_tags: Tag[];
  annotations: string[];
  /** Of the space */
  tags?: string[];
};

/** The spaces of an organization. */
export type SpaceList = {
  spaces: SpaceSummary[];
};

/** A space as lists show it. */
export type SpaceSummary = {
  charts: number;
  id: number;
  name: string | null;
  /** When the person last looked at it; 0 for never */
  opened_at: number;
  /** Its place among the pinned ones, from 1; 0 where it is not */
  pin: number;
  pinned: boolean;
  tags: string[];
  /** The id of a member; 0 for nobody */
  owner: number;
  owner_name: string;
  edited_at: number;
  /** As in the audit log; empty where it is not known */
  edited_by: string;
};

/** A stream, or a value of the tag that an objective groups by. Spent is how many percent of the whole budget it spent. */
export type Spender = {
  name: string;
  total: number;
  bad: number;
  spent: number;
};

/** A time in which an objective spent more of its error budget than its share. */
export type Spending = {
  start: number;
  end: number;
  total: number;
  bad: number;
  /** How many percent of the budget of the window that is. */
  spent: number;
};

export type SpentAnnotation = {
  id: number;
  stream: string;
  title: string;
  at: number;
};

export type SpentIncident = {
  id: number;
  alert_id: number;
  name: string;
};

/** A time in which the budget was spent, and what happened then. */
export type SpentTime = Spending & {
  incidents: SpentIncident[];
  annotations: SpentAnnotation[];
};

/** A change to one time of a window that repeats, or to that one and all after it. */
export type SplitBody = {
  /** When that time begins */
  start: number;
  later: boolean;
  /** The window in its place */
  window: MaintenanceWrite;
};

/** A step of an escalation. */
export type StepView = {
  after_seconds: number;
  services: ServiceSummary[];
  /** When it is or was due, 0 where the alert does not fire */
  at: number;
  taken: boolean;
};

/** A session that was opened with a second step. */
export type SteppedIn = Session & {
  /** Recovery codes, where one was used */
  codes_left?: number;
};

export type StreamEnded = {
  stream: number;
  status: number;
};

export type StreamSaid = {
  stream: number;
  event: string;
  data: string;
};

/** The organization that somebody wants to look at. */
export type SwitchBody = {
  org_id: number;
};

/** Says that a tag is left out of what is recorded of some metrics, so that streams which differ in it alone become one. */
export type TagDrop = {
  id: number;
  /** A name, in which * stands for anything; in lower case */
  metric: string;
  /** In lower case */
  tag: string;
  created_at: number;
  created_by: string;
};

/** A tag that is to be left out from now on. */
export type TagDropBody = {
  /** A name, in which * stands for anything */
  metric: string;
  tag: string;
};

/** The tags that an organization does not record. */
export type TagDropList = {
  drops: TagDrop[];
};

/** The tags of streams or, where a tag is named, its values. */
export type TagList = {
  tags?: TagName[];
  values?: TagValue[];
};

/** A tag, with how many values and streams have it. */
export type TagName = {
  name: string;
  streams: number;
  values: number;
};

/** A value of a tag. */
export type TagValue = {
  streams: number;
  value: string;
};

/** The ready spaces that fit what arrives. */
export type TemplateList = {
  templates: TemplateOffer[];
};

/** What was made of a template. */
export type TemplateMade = {
  /** By name; they are inactive */
  alerts: string[];
  space: number;
};

/** A ready space that could be made. */
export type TemplateOffer = {
  about: string;
  /** How many send what it is made of; 0 where that is not known */
  hosts: number;
  /** Whether that space has the charts of the template, and no others */
  made: boolean;
  name: string;
  /** The space of that title, where there is one; else 0 */
  space: number;
  title: string;
};

/** How a test notification to one service went. */
export type TestResult = {
  service_id: number;
  title: string;
  ok: boolean;
  answer: string;
  duration_ms: number;
};

/** How each service of an alert took a test. */
export type TestResultList = {
  results: TestResult[];
};

/** How a notification went. */
export type TimelineDelivery = {
  id: number;
  kind: "trigger" | "reminder" | "escalation" | "clear" | "test";
  step?: number;
  status: "waiting" | "delivered" | "failed" | "cancelled" | "superseded";
  tries: number;
  due_at: number;
  /** Its title */
  service: string;
  type: string;
  /** The last, in the service's words */
  answer: string;
  took_ms: number;
};

/** Something that happened to an incident. */
export type TimelineEntry = {
  at: number;
  /** Of a comment or an annotation */
  id?: number;
  kind: "fired" | "joined" | "notified" | "acknowledged" | "reopened" | "comment" | "maintenance" | "maintenance over" | "changed" | "snoozed" | "resumed" | "annotation" | "cleared";
  /** Of an annotation: the stream it is in */
  by?: string;
  text?: string;
  edited_at?: number;
  /** Of fired and joined */
  streams?: string[];
  delivery?: TimelineDelivery;
};

/** The tokens of an organization. */
export type TokenList = {
  tokens: TokenSummary[];
};

/** What a token would do to those who send now. */
export type TokenPreview = {
  /** Of who asks, as the server sees it */
  address: string;
  /** Whether the token could be used from there */
  inside: boolean;
  /** That its scope names now */
  metrics: number;
  /** Those of whom all is accepted first; none for a token that sends nothing */
  senders: SenderGroup[];
  /** Groups of senders that are left out */
  more: number;
  /** That were looked at */
  streams: number;
  /** False where there were more streams than one answer looks at */
  complete: boolean;
};

/** Narrows what a Record Only token may send, and says what it adds; or what a View Only token may read. The zero value is the whole organization, as it is sent. */
export type TokenScope = {
  /** Names, in which * stands for anything; one of them has to match. None means all. */
  metrics: string[];
  /** Have to be there, each with one of its values. */
  tags: ScopeTag[];
  /** For Record Only tokens: it is added to every measurement, in place of what the sender says. */
  add?: AddedTag[];
};

/** A token and who uses it. Times are 0 for never. */
export type TokenSummary = {
  active: boolean;
  /** The latest user agent, however long ago */
  agent: string;
  /** The latest 20 */
  agents: string[];
  created_at: number;
  /** As the audit log names people; empty where it is not known */
  created_by: string;
  expires_at: number;
  /** How many senders had the latest user agent in 30 days */
  hosts: number;
  id: number;
  /** It is deactivated when it was not used for so many days */
  idle_days: number;
  last4: string;
  last_used_at: number;
  name: string;
  /** Where it may be used from; none means anywhere */
  networks: string[];
  old_until: number;
  role: "admin" | "recorder" | "viewer";
  /** What it may send or read; empty lists mean everything */
  scope: TokenScope;
  /** How many used it in 30 days */
  senders: number;
};

/** A change to a token. */
export type TokenUpdate = {
  name?: string;
  role?: string;
  active?: boolean;
  expires_at?: number;
  idle_days?: number;
  /** And Networks narrow the token; null widens it again. */
  scope?: TokenScope;
  networks?: string[];
};

/** One thing that a token was used for, and which roles would refuse it. */
export type UseView = {
  verb: string;
  noun: string;
  requests: number;
  refused_by: ("admin" | "recorder" | "viewer")[];
};

/** Something as one save left it. It never holds a secret: services are named by their ids. */
export type Version = {
  /** From 1 */
  number: number;
  at: number;
  /** As in the audit log; empty for what was saved before versions were kept */
  actor: string;
  /** As in the audit log; empty likewise */
  action: string;
  /** The version that it brought back */
  restored?: number;
  /** What somebody called it, to find it again */
  name?: string;
  document: Record<string, unknown>;
};

/** A stream that violates a condition of an alert. */
export type ViolatingStream = {
  stream: string;
  metric: string;
  value: number;
  unit: string;
  since: number;
  /** Of one that is absent: when it was last seen */
  recorded_at: number;
  condition_id: number;
  /** Its worst value in this incident */
  peak: number;
  /** It began to violate after the alert fired */
  joined?: boolean;
};

/** A maintenance window in a calendar. */
export type WindowView = Maintenance & {
  /** In the time that was asked for */
  occurrences: Occurrence[];
  /** Alerts that it has to do with */
  covered: number;
  /** Now */
  on: boolean;
  /** If it is on */
  until: number;
};

/** The stream that is furthest beyond the threshold. */
export type WorstStream = {
  stream: string;
  value: number;
  unit: string;
};
