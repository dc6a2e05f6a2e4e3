// The host says when the page is to load another document, or its own again because a file of the site has changed.

listeners["footbridge.reload"] = () => location.reload();

listeners["footbridge.load"] = ({ url }) => location.assign(String(url));
