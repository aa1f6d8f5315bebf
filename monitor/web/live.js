/** Keeps the page current without moving what the reader looks at. When anything fails, the page just stays. */
let changes;
let stale = false;
let resting = false;

async function refresh() {
  stale = true;
  if (resting || document.hidden || getSelection()?.type === 'Range') return;
  [stale, resting] = [false, true];
  const pause = new Promise((resolve) => setTimeout(resolve, 1000));
  await showLatest().catch(() => {});
  await pause;
  resting = false;
  if (stale) refresh();
}

/** Two fetches must not overlap: a slow connection would get slower, and an old page could replace a newer one. */
async function showLatest() {
  const answer = await fetch(location.href, { signal: AbortSignal.timeout(60_000) });
  if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
}

/** Writes the time of the reader's zone beside that of UTC. */
function localise(page) {
  const form = {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  };
  for (const time of page.querySelectorAll('main time')) {
    const at = new Date(time.dateTime);
    if (!time.textContent.endsWith('UTC') || at.getTimezoneOffset() === 0) continue;
    const beside = document.createElement('span');
    beside.className = 'local';
    beside.textContent = ` (${at.toLocaleString([], form)})`;
    time.after(beside);
  }
}

function show(fresh) {
  localise(fresh);
  for (const { id, open } of document.querySelectorAll('main details'))
    fresh.getElementById(id)?.toggleAttribute('open', open);
  const { scrollX, scrollY } = window;
  const focus = document.activeElement?.closest('main [id]')?.id;
  document.querySelector('main').replaceChildren(...fresh.querySelector('main').childNodes);
  document.getElementById(focus)?.focus({ preventScroll: true });
  scrollTo(scrollX, scrollY);
  if (document.title === fresh.title) return;
  document.getElementById('news').textContent = document.title = fresh.title;
  document.querySelector('[rel=icon]').replaceWith(fresh.querySelector('[rel=icon]'));
}

function watch() {
  changes?.close();
  if (document.hidden) return;
  changes = new EventSource('/changes');
  changes.onopen = refresh;
  changes.addEventListener('change', refresh);
}

document.addEventListener('visibilitychange', watch);
setInterval(refresh, 30_000);
localise(document);
watch();
