import { byId, element } from "./dom.js";
import type { QueryView } from "./store.js";

let wired = false;

/** Where the query takes records by hand, a form that sends one. */
export function showSendForm({ card }: QueryView): void {
  const form = byId<HTMLFormElement>("send");
  const sources = card?.takesRecords ?? [];
  form.hidden = sources.length === 0;
  const select = byId<HTMLSelectElement>("send-source");
  if (select.dataset["shown"] !== sources.join("\n")) {
    select.dataset["shown"] = sources.join("\n");
    select.replaceChildren(...sources.map((source) => element("option", { value: source }, source)));
  }
  if (wired) return;
  wired = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = byId("send-answer");
    try {
      const path = `/records/${encodeURIComponent(select.value)}`;
      const response = await fetch(path, { method: "PUT", body: byId<HTMLTextAreaElement>("send-payload").value });
      answer.textContent = (await response.text()).trim();
      answer.dataset["state"] = response.ok ? "ok" : "refused";
    } catch {
      answer.textContent = "Not sent: the server does not answer.";
      answer.dataset["state"] = "refused";
    }
  });
}
