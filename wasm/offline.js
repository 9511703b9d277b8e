// Keeps the page for visits without a network. A later visit with one asks for a newer page.
'use strict';

addEventListener('install', () => skipWaiting());
addEventListener('activate', event => event.waitUntil(clients.claim()));
addEventListener('fetch', event => event.respondWith((async () => {
  const cache = await caches.open('crux');
  try {
    const response = await fetch(event.request);
    if (response.ok && event.request.method === 'GET') await cache.put(event.request, response.clone());
    return response;
  } catch (problem) {
    const kept = await cache.match(event.request, {ignoreSearch: true});
    if (kept) return kept;
    throw problem;
  }
})()));
