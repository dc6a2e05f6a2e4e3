<?php
// A site on PHP's own server: a session, and forms with a token of the session. `php -S 127.0.0.1:PORT php_app.php`
session_start();
$_SESSION["token"] ??= bin2hex(random_bytes(16));
$_SESSION["notes"] ??= [];
if ($_SERVER["REQUEST_METHOD"] === "POST") {
    $origin = parse_url($_SERVER["HTTP_ORIGIN"] ?? "");
    $host = $origin["host"] . (isset($origin["port"]) ? ":" . $origin["port"] : "");
    if (($_POST["token"] ?? "") !== $_SESSION["token"] || $host !== $_SERVER["HTTP_HOST"]) {
        http_response_code(403);
        exit("forged");
    }
    $file = $_FILES["file"] ?? null;
    $_SESSION["notes"][] = $file ? "$file[name]: $file[size] bytes" : $_POST["text"];
    header("Location: http://$_SERVER[HTTP_HOST]/");
    exit;
}
$token = "<input type=hidden name=token value=$_SESSION[token]>";
?>
<!doctype html><title>Notes</title>
<?php foreach ($_SESSION["notes"] as $note) echo "<li>", htmlspecialchars($note), "</li>"; ?>
<form method="post" action="/note"><?= $token ?><input name="text"><button>Note</button></form>
<form method="post" action="/upload" enctype="multipart/form-data"><?= $token ?><input type="file" name="file"><button>Upload</button></form>
