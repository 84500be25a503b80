/** The few pictures of the page, drawn with lines. They say nothing that is not also said in words. */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const PATHS = {
  close: "M6 6l12 12M18 6L6 18",
  back: "M15 5l-7 7 7 7",
  pin: "M9 4h6l-1 6 3 3H7l3-3-1-6zM12 13v7",
  filter: "M4 6h16M7 12h10M10 18h4",
  plus: "M12 5v14M5 12h14",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  check: "M5 13l4 4L19 7",
};

/**
 * A picture beside words, or in a button that has a name.
 *
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("class", "icon");
  made.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name] ?? "");
  made.append(path);
  return made;
}
