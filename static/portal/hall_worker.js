// Service worker of the hall (RELEASE and STATIC stand before it): keeps the pages of halls and their static files.
// It works for addresses below /hall/ only, so no other page of the site is ever answered from here.
const CACHE = `hall-${RELEASE}`, SCOPE = new URL(self.registration.scope).pathname, PATIENCE = 4000;
const isPage = (path) => path.startsWith(SCOPE) && /^[0-9A-Za-z]+\/$/.test(path.slice(SCOPE.length));
const isStatic = (path) => path.startsWith(STATIC);
const isHashed = (path) => /\.[0-9a-f]{12}\.\w+$/.test(path);

const keep = async (request, answer) => {
  const cache = await caches.open(CACHE);
  if (answer.ok && answer.type === "basic" && !answer.redirected) await cache.put(request.url, answer.clone());
  // who may no longer see a page does not see its copy either
  else if (answer.type === "opaqueredirect" || (answer.status >= 400 && answer.status < 500)) await cache.delete(request.url);
  return answer;
};
const stored = async (request) => (await caches.open(CACHE)).match(request.url, { ignoreVary: true });
const fromNetwork = async (request) => {
  const late = new Promise((_, fail) => setTimeout(fail, PATIENCE, new Error("late")));
  const answer = fetch(request).then((got) => keep(request, got));
  answer.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } catch {
    return (await stored(request)) || answer;
  }
};
const fromCache = async (request) => (await stored(request)) || fromNetwork(request);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("hall-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clean());
});
self.addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  // what a script of the page asks for is never an old copy: it must see that there is no connection
  if (isPage(pathname)) event.respondWith(request.mode === "navigate" ? fromNetwork(request) : fetch(request).then((got) => keep(request, got)));
  else if (isStatic(pathname)) event.respondWith(isHashed(pathname) ? fromCache(request) : fromNetwork(request));
});
// the page names what it needs: it was loaded before this worker
self.addEventListener("message", (event) => {
  const paths = event.data.filter((address) => isPage(new URL(address).pathname) || isStatic(new URL(address).pathname));
  const load = async (address) => {
    const request = new Request(address, { credentials: "same-origin" });
    if (isHashed(address) && (await stored(request))) return;
    try { await keep(request, await fetch(request)); } catch { /* the next page names it again */ }
  };
  event.waitUntil(Promise.all(paths.map(load)).then(() => event.source.postMessage("stored")));
});
