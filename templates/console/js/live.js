// Shows the results of a form with data-live while its user types: the same page as by its button, of which the parts with the IDs in
// data-live are shown. One request is in flight at most. A failed request leaves the rows as they are and is reported.
'use strict';
(() => {
  const policy = window.trustedTypes ? trustedTypes.createPolicy('gpatlas', { createHTML: (text) => text }) : { createHTML: (text) => text };
  const wait = 80; // milliseconds after the last key
  for (const form of document.querySelectorAll('form[data-live]')) {
    let timer, running;
    const update = async () => {
      const url = new URL(form.action);
      for (const [name, value] of new FormData(form)) if (value !== '') url.searchParams.set(name, value);
      running?.abort();
      running = new AbortController();
      const parts = form.dataset.live.split(' ').map((id) => document.getElementById(id));
      const busy = (is) => parts.forEach((part) => part.setAttribute('aria-busy', is));
      busy(true);
      try {
        const response = await fetch(url, { signal: running.signal, headers: { Accept: 'text/html' } });
        if (!response.ok && response.status !== 400) throw new Error(response.statusText);
        const page = new DOMParser().parseFromString(policy.createHTML(await response.text()), 'text/html');
        const fresh = parts.map((part) => page.getElementById(part.id));
        if (fresh.includes(null)) throw new Error('the page has no results');
        parts.forEach((part, i) => part.replaceChildren(...fresh[i].childNodes));
        history.replaceState(null, '', url);
      } catch (failure) {
        if (failure.name === 'AbortError') return;
        const note = document.querySelector('#results [role=status]');
        if (note) note.textContent = 'The search failed. These are the earlier results.';
      }
      busy(false);
    };
    form.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(update, wait); });
  }
  // A button that copies a text which is shown once.
  for (const text of document.querySelectorAll('pre[data-copy]')) {
    if (!navigator.clipboard) break;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'small';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', () => navigator.clipboard.writeText(text.textContent).then(
      () => { button.textContent = 'Copied'; }, () => { button.textContent = 'Copying failed. Select the text.'; }));
    text.after(button);
  }
  // "/" goes to the search of the page, as in other reference works.
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    (document.querySelector('form[data-live] input[type=search]') || document.getElementById('find'))?.focus();
  });
})();
