// The files that scripts/test-firefox.sh picks journeys from, in one process:
// they share one browser, which takes longer to start than most journeys do.
import "./journeys.test.mjs";
import "./settings.test.mjs";
import "./explore.test.mjs";
import "./locales.test.mjs";
import "./maintenance.test.mjs";
import "./tokens.test.mjs";
import "./history.test.mjs";
import "./panels.test.mjs";
import "./walls.test.mjs";
import "./secondfactor.test.mjs";
import "./orgs.test.mjs";
import "./printing.test.mjs";
