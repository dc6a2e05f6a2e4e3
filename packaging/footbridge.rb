# A Homebrew formula that builds from source: brew install --HEAD ./footbridge.rb
# Nobody has run it yet. Replace the address with that of your repository.
class Footbridge < Formula
  desc "Simulates the native iOS app around a web page"
  homepage "https://example.invalid/footbridge"
  license "Apache-2.0"
  head "https://example.invalid/footbridge.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "brotli"
  depends_on "libnghttp2"
  depends_on "libpq"
  depends_on "libpsl"
  depends_on "libwebsockets"
  depends_on macos: :sequoia
  depends_on "openssl@3"
  depends_on "zstd"

  def install
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "footbridge"
    bin.install ".build/release/footbridge"
    generate_completions_from_executable(bin/"footbridge", "--generate-completion-script")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/footbridge --version") unless build.head?
    system bin/"footbridge", "exec", "--", "true"
  end
end
