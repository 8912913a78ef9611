package agent

// Template is a settings file with every setting, commented out.
const Template = `# Settings of the agent: tidemark-agent --settings FILE

# Where to send, and a token that may record.
#server: https://metrics.example.org
#token_file: /etc/tidemark/agent.token
#ca: /etc/tidemark/ca.pem

# The tag host of everything, and other tags.
#host: web-01
#tags: {role: web}

# How often to collect.
#every: 10s

# Where measurements wait while the server is away. The oldest are dropped
# where there are more, and counted (agent.dropped).
#spool:
#  dir: /var/lib/tidemark-agent/spool
#  limit: 64MiB

# true: nothing about the machine itself, only what is named below.
#host_off: false

# Processes by name and units of systemd; both may hold *.
#processes: [nginx, postgres]
#units: [nginx, "backup-*.timer"]

# The socket of Docker or Podman.
#containers: /run/docker.sock

# Take StatsD by UDP.
#statsd: 127.0.0.1:8125

# Prometheus endpoints.
#scrape:
#  - url: http://127.0.0.1:9100/metrics
#    every: 15s
#    timeout: 10s
#    tags: {job: node}
#    headers: {Authorization: Bearer secret}

# Programs that print measurements as Prometheus endpoints do: name{tag="x"} 1.
#scripts:
#  - name: queue
#    command: /usr/local/bin/queue-length
#    every: 1m
#    timeout: 30s

# Checks that people give to this agent in the interface. Without allow they
# reach public addresses alone; off: true runs none.
#checks:
#  off: false
#  allow: [10.0.0.0/8, "127.0.0.1/32:5432"]
`
