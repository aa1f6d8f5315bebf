# The settings that never differ; tools/broker/start.ts passes the database and the passwords.
ENV.update(
  "PACT_BROKER_SEED_EXAMPLE_DATA" => "false",
  "PACT_BROKER_LOG_STREAM" => "stdout",
  "PACT_BROKER_LOG_CONFIGURATION_ON_STARTUP" => "false",
  "PACT_BROKER_BASIC_AUTH_ENABLED" => "true",
  "PACT_BROKER_WEBHOOK_SCHEME_WHITELIST" => "http https",
  "PACT_BROKER_WEBHOOK_HOST_WHITELIST" => "127.0.0.1 localhost api.github.com",
  "PACT_BROKER_WEBHOOK_RETRY_SCHEDULE" => "1 1 1",
  "PACT_BROKER_HIDE_PACTFLOW_MESSAGES" => "true",
  # The broker's pages load badges from another site. They are disabled, so a page needs no internet access.
  "PACT_BROKER_BADGE_PROVIDER_MODE" => "proxy",
  "PACT_BROKER_SHIELDS_IO_BASE_URL" => "http://127.0.0.1:1"
)

require "pact_broker"

# can-i-deploy makes one union for each consumer. Sequel nests them, and from the seventh on SQLite's parser overflows. A
# union of nothing but a union means the same without nesting.
module FlatUnions
  def union(other, options = {})
    from = @opts[:from]&.first
    inner = from.expression if from.is_a?(Sequel::SQL::AliasedExpression)
    is_union = inner.is_a?(Sequel::Dataset) && inner.opts[:compounds] && inner.from_self.sql == sql
    is_union ? inner.union(other, options) : super
  end
end
Sequel::Dataset.prepend(FlatUnions)

# SQLite only: wait for locks in Ruby (the C busy_timeout blocks the whole VM) and take the write
# lock at BEGIN, otherwise concurrent publishes and webhook jobs answer 500 "database is locked".
app = PactBroker::App.new do |config|
  settings = config.database_configuration
  if settings[:adapter].to_s.start_with?("sqlite")
    settings = settings.merge(after_connect: lambda { |conn|
      conn.busy_handler { |tries| sleep 0.01; tries < 3000 }
      conn.execute("PRAGMA journal_mode=WAL")
    })
    db = PactBroker.create_database_connection(settings, config.logger)
    db.transaction_mode = :immediate
    config.database_connection = db
  end
end
run app
