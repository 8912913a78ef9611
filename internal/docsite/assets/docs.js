// Search, copying of examples and the theme. Pages can be read without it.
"use strict";

const root = document.documentElement.dataset.root;

// The interface keeps what was chosen there; without a choice the system's holds.
function theme() {
  try {
    const chosen = localStorage.getItem("tidemark.scheme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // A browser that keeps nothing.
  }
}

function copyButtons() {
  if (!navigator.clipboard) return;
  for (const pre of document.querySelectorAll("pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.querySelector("code").innerText);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    pre.append(button);
  }
}

let parts;
async function load() {
  parts ??= fetch(`${root}search.json`).then((r) => r.json());
  return parts;
}

// All words must be there; those of a title count most.
function score(part, words) {
  const title = `${part.t} ${part.p}`.toLowerCase();
  const text = part.x.toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (part.t.toLowerCase().startsWith(word)) sum += 12;
    else if (title.includes(word)) sum += 8;
    else if (text.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 30);
  return (at > 0 ? "…" : "") + text.slice(at, at + 120);
}

async function search(input, list) {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    list.hidden = true;
    return;
  }
  const hits = (await load())
    .map((part) => ({ part, score: score(part, words) }))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 12);
  list.replaceChildren(...hits.map(({ part }) => entry(part, words)));
  if (hits.length === 0) {
    const none = document.createElement("p");
    none.textContent = "Nothing found";
    list.append(none);
  }
  list.hidden = false;
}

function entry(part, words) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = root + part.a;
  link.textContent = part.t === part.p ? part.t : `${part.p}: ${part.t}`;
  const small = document.createElement("small");
  small.textContent = excerpt(part.x, words[0]);
  link.append(small);
  item.append(link);
  return item;
}

function searchField() {
  const box = document.querySelector(".search");
  const input = box.querySelector("input");
  const list = box.querySelector("ol");
  box.hidden = false;
  input.addEventListener("focus", load);
  input.addEventListener("input", () => search(input, list));
  box.addEventListener("focusout", (e) => {
    if (!box.contains(e.relatedTarget)) list.hidden = true;
  });
  box.addEventListener("keydown", (e) => move(e, input, list));
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.target.matches("input, textarea")) return;
    e.preventDefault();
    input.focus();
  });
}

// Arrow keys walk through what was found, Escape leaves it.
function move(e, input, list) {
  if (e.key === "Escape") {
    list.hidden = true;
    input.focus();
    return;
  }
  const links = [input, ...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (step && at >= 0) {
    e.preventDefault();
    links[Math.min(links.length - 1, Math.max(0, at + step))].focus();
  } else if (e.key === "Enter" && at === 0 && links[1]) {
    links[1].click();
  }
}

theme();
copyButtons();
searchField();
