# frozen_string_literal: true

# The service as a Ruby team writes it, on Sinatra, ruby-jwt and Puma. It knows nothing of the suite that judges it.
# MISTAKE switches on one of the mistakes that such teams ship.

require 'json'
require 'jwt'
require 'puma'
require 'sinatra/base'

class PublicApi < Sinatra::Base
  API_KEY, SECRET_KEY, SIGNING_KEY = ENV.values_at('API_KEY', 'SECRET_KEY', 'SIGNING_KEY')
  MISTAKE = ENV['MISTAKE']
  TOKEN_PATH = '/public-api/v1/auth/token'
  VERDICTS = {}

  set :environment, :production
  set :server, :puma
  set :bind, '127.0.0.1'
  set :port, ENV.fetch('PORT')
  set :server_settings, { Threads: '0:5' }
  set :show_exceptions, false

  before { content_type :json }

  before '/public-api/v1/*' do
    authenticate unless request.path_info == TOKEN_PATH
  end

  post TOKEN_PATH do
    body = JSON.parse(request.body.read)
    known = body.is_a?(Hash) && same?(body['apiKey'], API_KEY) && same?(body['secretKey'], SECRET_KEY)
    halt 403, failure('Invalid credentials.') unless known

    token = JWT.encode({ sub: 'client-1', iat: now, exp: now + 86_400 }, SIGNING_KEY, 'HS256')
    success('Access token generated.', accessToken: token)
  rescue JSON::ParserError
    halt 400, failure('The body is not JSON.')
  end

  get('/public-api/v1/widgets') { success('Widgets.', widgets: [{ id: 1 }]) }

  post '/public-api/v1/reports' do
    status 202
    success('The report is queued.', report: 'queued')
  end

  private

  def authenticate
    MISTAKE == 'positive-cache' ? VERDICTS[bearer_token] ||= claims : claims
  # The library raises NoMethodError, not DecodeError, for a header that is null.
  rescue JWT::DecodeError, NoMethodError => e
    halt 401, failure(MISTAKE == 'library-message' ? e.message : 'Invalid or expired access token.')
  end

  def claims
    options = { algorithms: ['HS256'] }
    options[:algorithms] << 'none' if MISTAKE == 'unsigned'
    options[:verify_expiration] = false if MISTAKE == 'verify-expiration-off'
    options[:exp_leeway] = 30 if MISTAKE == 'leeway'
    JWT.decode(bearer_token, SIGNING_KEY, true, options)
  end

  def bearer_token
    return params['access_token'] if MISTAKE == 'query-parameter' && params['access_token']

    request.env['HTTP_AUTHORIZATION'].to_s[/\ABearer ([\w.-]+)\z/, 1]
  end

  def same?(given, wanted)
    return false unless given.is_a?(String)

    given = given.strip if MISTAKE == 'trimmed-keys'
    Rack::Utils.secure_compare(given, wanted)
  end

  def now
    Time.now.to_i
  end

  def success(message, data)
    { success: true, message: message, data: data }.to_json
  end

  def failure(message)
    { success: false, message: message }.to_json
  end
end

PublicApi.run!
