import { useState } from "react";
import { Kbd } from "../components/controls";
import { Modal } from "../components/overlays";
import { help } from "./navigation";
import { modKey } from "./Sidebar";
import { keysAreOff, setKeys, shortcuts } from "./shortcuts";

const chartKeys = [
  ["Drag", "Zoom"],
  ["Shift drag", "Earlier or later"],
  ["Double click", "Twice the range"],
  ["Alt click", "Note what happened"],
  ["Alt drag", "Note from when to when"],
  ["← →", "Crosshair one point, with Shift ten"],
  ["↑ ↓", "Choose the stream"],
  ["z ← Enter", "Zoom"],
  ["Enter", "Full screen"],
];

/** All keys of the page that is open. */
export default function Help({ close }: { close: () => void }) {
  const [off, setOff] = useState(keysAreOff());
  const spell = (keys: string) => (keys === " " ? ["Space"] : keys.replace("mod+", modKey).split(" ").filter(Boolean));
  return (
    <Modal opened onClose={close} title="Keys" size={620}>
      <div style={{ display: "grid", gridTemplateColumns: "repeat(auto-fill, minmax(240px, 1fr))", gap: "6px 32px" }}>
        {shortcuts().map((s) => (
          <div key={s.keys} style={{ display: "flex", justifyContent: "space-between", gap: 12 }}>
            <span>{s.label}</span>
            <span style={{ display: "flex", gap: 4 }}>
              {spell(s.keys).map((k) => (
                <Kbd key={k}>{k.length === 1 ? k.toUpperCase() : k}</Kbd>
              ))}
            </span>
          </div>
        ))}
        <h3 style={{ gridColumn: "1 / -1", marginTop: 10 }}>On a chart</h3>
        {chartKeys.map(([k, what]) => (
          <div key={k} style={{ display: "flex", justifyContent: "space-between", gap: 12 }}>
            <span>{what}</span>
            <Kbd>{k}</Kbd>
          </div>
        ))}
      </div>
      <label style={{ display: "flex", gap: 8, marginTop: 18 }}>
        <input
          type="checkbox"
          checked={!off}
          onChange={() => {
            setKeys(off);
            setOff(!off);
          }}
        />
        Single keys do something on this device
      </label>
      <p style={{ marginTop: 10 }}>
        <a href={help.href} target="_blank" rel="noreferrer">
          Documentation
        </a>
      </p>
    </Modal>
  );
}
