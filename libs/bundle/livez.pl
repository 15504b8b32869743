#!/usr/bin/perl
# The health check of the images: ends with 0 when the service of this container answers /livez with 200. It uses what
# Debian's perl-base contains, which no Debian lacks.
#
#   livez.pl VARIABLES DEFAULT_PORT [COMMAND_LINE]
#
# Address and port are those that the service has: its flags, then VARIABLES_OPS_LISTEN_HOST and VARIABLES_OPS_LISTEN_PORT, then its
# configuration file. COMMAND_LINE is a file with the words of the service's process, each ended by a zero byte.
use strict;
use warnings;
use IO::Socket::IP;

my ($variables, $default_port, $command_line) = @ARGV;

sub content {
  my ($path) = @_;
  open my $file, '<', $path or return '';
  local $/;
  return <$file> // '';
}

my @words = split /\0/, content($command_line // '/proc/1/cmdline');

sub flag {
  my ($flag) = @_;
  for my $index (0 .. $#words) {
    return $words[$index + 1] if $words[$index] eq $flag;
    return substr $words[$index], length("$flag=") if index($words[$index], "$flag=") == 0;
  }
  return undef;
}

# `ops-listen-port = 1`, or `listen-port = 1` under `[ops]`: what the service accepts, which has read the file before.
sub in_file {
  my ($name) = @_;
  my $section = '';
  for my $line (split /\n/, content(flag('--config-file') // return undef)) {
    $section = "$1-" if $line =~ /^\s*\[([\w-]+)\]/;
    return $2 if $line =~ /^\s*([\w-]+)\s*=\s*["']?([^"'\s#]+)/ && "$section$1" eq $name;
  }
  return undef;
}

sub setting {
  my ($name, $default) = @_;
  my $found = "ops-listen-\L$name";
  for my $value (flag("--$found"), $ENV{"${variables}_OPS_LISTEN_$name"}, in_file($found)) {
    return $value if defined $value && $value ne '';
  }
  return $default;
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
