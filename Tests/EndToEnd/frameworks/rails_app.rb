# A site on Rails: a form that is protected against forgery, a session and an upload. `ruby rails_app.rb PORT`
require "rails"
require "action_controller/railtie"
require "rack/handler/puma"

ENV["RAILS_ENV"] = "development"

class Application < Rails::Application
  config.load_defaults 6.1
  config.eager_load = false
  config.secret_key_base = "x" * 64
  config.hosts << "app.example.com"
  config.logger = Logger.new(nil)
  routes.append do
    root to: "notes#index"
    post "/note" => "notes#note"
    post "/upload" => "notes#upload"
  end
end

Rails.application.initialize!

class NotesController < ActionController::Base
  protect_from_forgery with: :exception

  def index
    render inline: File.read(File.join(__dir__, "notes.html.erb")), locals: { token: form_authenticity_token, notes: session[:notes] || [] }
  end

  def note
    add params[:text]
  end

  def upload
    file = params[:file]
    add "#{file.original_filename}: #{file.size} bytes"
  end

  private

  def add(note)
    session[:notes] = (session[:notes] || []) + [note]
    redirect_to root_url
  end
end

Rack::Handler::Puma.run Rails.application, Host: "127.0.0.1", Port: ARGV[0].to_i, Silent: true
