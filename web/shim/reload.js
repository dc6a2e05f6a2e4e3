// The host tells the page to load another document, or to reload because a file of the site has changed.

listeners["footbridge.reload"] = () => location.reload();

listeners["footbridge.load"] = ({ url }) => location.assign(String(url));
