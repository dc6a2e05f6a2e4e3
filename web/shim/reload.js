// Live reload: the host says when a file of the site has changed.

listeners["footbridge.reload"] = () => location.reload();
