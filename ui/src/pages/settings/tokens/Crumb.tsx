import { Link } from "@tanstack/react-router";
import own from "./Tokens.module.css";

/** Where the pages about one token belong to. */
export const Crumb = () => (
  <Link to="/settings/tokens" className={own.crumb ?? ""}>
    API Tokens
  </Link>
);
