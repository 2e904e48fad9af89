#!/bin/sh
# In place of ssh for mpiexec: host_agent.sh HOST COMMAND… runs the command in the network namespace of that name, which
# has a host name of its own, too.
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
