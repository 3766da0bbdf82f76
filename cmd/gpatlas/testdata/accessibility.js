// What is wrong with a page for people who do not see it, or see little (WCAG 2.2 AA, as far as a program can tell).
(() => {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const name = (e) => e.outerHTML.slice(0, 100);
  const check = (good, text) => { if (!good) faults.push(text); };

  check(document.documentElement.lang === "en", "the page has no language");
  check(/^.+ · GP Atlas$/.test(document.title), "title: " + document.title);
  for (const one of ["h1", "main", "header", "footer"]) check(all(one).length === 1, one + ": " + all(one).length);
  const navs = all("nav").map((e) => e.getAttribute("aria-label"));
  check(navs.length > 0 && navs.every(Boolean) && new Set(navs).size === navs.length, "names of nav: " + navs);
  check(all("body *")[0]?.getAttribute("href") === "#main", "the first control does not skip to the content");
  let level = 0;
  for (const h of all("h1, h2, h3, h4")) {
    check(+h.tagName[1] <= level + 1, "a level is left out before " + name(h));
    level = +h.tagName[1];
  }
  const ids = all("[id]").map((e) => e.id);
  check(new Set(ids).size === ids.length, "an id is there twice: " + ids);
  for (const e of all("input:not([type=hidden])")) {
    check(e.labels.length === 1 && e.labels[0].textContent.trim(), "no label: " + name(e));
    check(e.type === "checkbox" || e.autocomplete || e.name === "x", "no autocomplete: " + name(e));
  }
  for (const e of all("[aria-describedby], [aria-labelledby]")) {
    for (const id of (e.getAttribute("aria-describedby") || e.getAttribute("aria-labelledby")).split(" ")) {
      check(document.getElementById(id), id + " is not there: " + name(e));
    }
  }
  for (const e of all("[aria-invalid]")) check(e.getAttribute("aria-describedby"), "no reason at " + name(e));
  for (const e of all("a, button")) check(e.textContent.trim(), "no name: " + name(e));
  for (const e of all("button, input:not([type=hidden]), nav a, li > a:only-child")) {
    const box = e.getBoundingClientRect();
    check(box.height >= 24 && box.width >= 24, `target of ${box.width} × ${box.height}: ` + name(e));
  }
  check(document.documentElement.scrollWidth <= innerWidth, "the page scrolls sideways: " + document.documentElement.scrollWidth);

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const luminance = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, share, i) => {
    const v = c[i] / 255;
    return sum + share * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      if (c[3] === 255) return c;
    }
    return rgba("white");
  };
  for (const e of all("body *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const [x, y] = [luminance(rgba(getComputedStyle(e).color)), luminance(ground(e))];
    const contrast = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    check(contrast >= 4.5, `contrast ${contrast.toFixed(1)}: ` + name(e));
  }
  return faults;
})()
