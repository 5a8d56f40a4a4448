// A page that is read from the disk may not start a worker. Its search then runs in a hidden frame
// beside the page: what the page sends is an event there, and what the search sends is one here.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(source) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "Search";
      document.body.append(frame);
      const inside = frame.contentWindow;
      const load = (url) =>
        new Promise((loaded, failed) => {
          const script = inside.document.createElement("script");
          script.src = new URL(url, document.baseURI).href;
          script.addEventListener("load", loaded);
          script.addEventListener("error", failed);
          inside.document.head.append(script);
        });
      inside.importScripts = (...urls) =>
        urls.reduce((before, url) => before.then(() => load(url)), Promise.resolve());
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inside = inside;
      this.started = load(source);
    }

    postMessage(data) {
      this.started.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
  window.Worker = window.IFrameWorker;
}
