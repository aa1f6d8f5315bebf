environment "production"
threads 1, 4
force_shutdown_after 3

# The process that started the broker holds the other end of its input, which closes when that process ends, also by a kill.
Thread.new do
  $stdin.read
  Process.kill :TERM, Process.pid
end
