# A site on Sinatra with rack-protection: its session, and forms with its token. `ruby sinatra_app.rb PORT`
require "sinatra/base"
require "rack/protection"
require "rack/handler/puma"

class Notes < Sinatra::Base
  set :environment, :development
  set :logging, false
  set :views, __dir__
  enable :sessions
  set :session_secret, "x" * 64
  use Rack::Session::Cookie, secret: "x" * 64
  use Rack::Protection::AuthenticityToken
  use Rack::Protection

  get "/" do
    erb :"notes.html", locals: { token: Rack::Protection::AuthenticityToken.token(session), notes: session[:notes] || [] }
  end

  post "/note" do
    add params[:text]
  end

  post "/upload" do
    add "#{params[:file][:filename]}: #{params[:file][:tempfile].size} bytes"
  end

  def add(note)
    session[:notes] = (session[:notes] || []) + [note]
    redirect to("/")
  end
end

Rack::Handler::Puma.run Notes, Host: "127.0.0.1", Port: ARGV[0].to_i, Silent: true
