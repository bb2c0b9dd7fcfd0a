// A table that fits its place needs no stop of the Tab key; of one that goes on to the right the edge tells.
(() => {
  const look = (place) => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = place;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) place.tabIndex = 0;
    else if (document.activeElement !== place) place.removeAttribute("tabindex");
    place.classList.toggle("more", scrollWidth - clientWidth - Math.abs(place.scrollLeft) > 1);
  };
  const sized = new ResizeObserver((changes) => changes.forEach(({ target }) => look(target.closest(".scroll"))));
  document.querySelectorAll(".scroll[tabindex]").forEach((place) => {
    place.addEventListener("scroll", () => look(place), { passive: true });
    sized.observe(place);
    if (place.firstElementChild) sized.observe(place.firstElementChild);
  });
})();
