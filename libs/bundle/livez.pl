#!/usr/bin/perl
# The health check of the images: ends with 0 when the service of this container answers /livez with 200. It uses what
# Debian's perl-base contains, which no Debian lacks.
#
#   livez.pl VARIABLES DEFAULT_PORT    of VARIABLES_OPS_LISTEN_HOST and VARIABLES_OPS_LISTEN_PORT, which the service reads too
use strict;
use warnings;
use IO::Socket::IP;

my ($variables, $default_port) = @ARGV;

sub setting {
  my ($name, $default) = @_;
  my $value = $ENV{"${variables}_OPS_LISTEN_$name"};
  return defined $value && $value ne '' ? $value : $default;
}

my $port = setting('PORT', $default_port);
my $host = setting('HOST', '127.0.0.1');
# Who listens on all addresses is reached on its own.
$host = '127.0.0.1' if $host eq '0.0.0.0';
$host = '::1' if $host eq '::';

# Below the time limit of HEALTHCHECK, so that a service that hangs is named.
local $SIG{ALRM} = sub { die "no answer from $host port $port\n" };
alarm 4;
my $socket = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port) or die "$host port $port: $@\n";
my $name = $host =~ /:/ ? "[$host]" : $host;
print $socket "GET /livez HTTP/1.1\r\nHost: $name:$port\r\nConnection: close\r\n\r\n";
my $status = <$socket> // '';
$status =~ s/\s+$//;
die "$host port $port: $status\n" unless $status =~ m{^HTTP/1\.[01] 200\b};
