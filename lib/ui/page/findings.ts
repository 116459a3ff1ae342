import { byId, element } from "./dom.js";
import type { QueryView } from "./store.js";

/** On top of everything when there is any: what is wrong, how it shows, what to do. */
export function showFindings({ findings, status }: QueryView): void {
  const list = byId("findings");
  const failed =
    status?.state === "failed" ? [{ severity: "error", name: "failed", evidence: status.words, remedy: "" }] : [];
  const shown = [
    ...failed,
    ...findings.map(({ severity, signature, evidence, remedy }) => ({ severity, name: signature, evidence, remedy })),
  ];
  const signature = JSON.stringify(shown);
  if (list.dataset["shown"] === signature) return;
  list.dataset["shown"] = signature;
  list.hidden = shown.length === 0;
  list.replaceChildren(
    ...shown.map(({ severity, name, evidence, remedy }) =>
      element(
        "article",
        { class: severity },
        element("strong", {}, name.replaceAll("-", " ")),
        element("p", {}, evidence),
        element("p", { class: "remedy" }, remedy),
      ),
    ),
  );
}
