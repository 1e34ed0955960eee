import Foundation
import Waiting

/// nginx between the client and a server, as operators put it there. It ends with the program that started it.
public final class ReverseProxy: Sendable {
  public let endpoint: Endpoint
  private let process: LeashedProcess

  private static let executable = Peer.root.appendingPathComponent(".venv/peers/nginx/nginx")

  /// False where `scripts/bootstrap.sh peers` could not install it.
  public static let isInstalled = FileManager.default.isExecutableFile(atPath: executable.path)

  private init(_ process: LeashedProcess, port: Int) {
    self.process = process
    endpoint = Endpoint(port: port)
  }

  /// Starts one on a free port of the loopback interface.
  public static func start(to server: Endpoint) async throws -> ReverseProxy {
    var said = ""
    for _ in 0..<5 {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("tmp"), withIntermediateDirectories: true)
      let configuration = folder.appendingPathComponent("nginx.conf")
      // nginx cannot ask the system for a free port. (Below those that the system gives away.)
      let port = Int.random(in: 20_000..<30_000)
      try text(port: port, server: server).write(to: configuration, atomically: true, encoding: .utf8)
      let process = try LeashedProcess(
        [executable.path, "-p", folder.path, "-c", configuration.path, "-e", "stderr"], scratch: folder)
      // It says so when it listens.
      let (isListening, words) = try await onOwnThread { process.read { $0.contains("event method") ? true : nil } }
      if isListening == true { return ReverseProxy(process, port: port) }
      try await process.end()
      said = words
    }
    throw StartFailure(description: "nginx did not start: \(said)")
  }

  /// Ends it at once.
  public func kill() { process.kill() }

  /// Small limits, so that a run of tests meets all of them.
  private static func text(port: Int, server: Endpoint) -> String {
    """
    daemon off;
    master_process off;
    error_log stderr notice;
    pid nginx.pid;
    events {}
    http {
      access_log off;
      client_body_temp_path tmp;
      proxy_temp_path tmp;
      fastcgi_temp_path tmp;
      uwsgi_temp_path tmp;
      scgi_temp_path tmp;
      client_max_body_size 20m;

      gzip on;
      gzip_types application/json application/graphql-response+json multipart/mixed text/event-stream;
      gzip_min_length 1;
      gzip_proxied any;

      keepalive_requests 3;
      keepalive_timeout 1s;

      map $http_upgrade $wanted_connection {
        default upgrade;
        '' close;
      }
      server {
        listen 127.0.0.1:\(port);
        location / {
          proxy_pass http://127.0.0.1:\(server.port);
          proxy_http_version 1.1;
          proxy_buffering off;
          proxy_set_header Host $http_host;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection $wanted_connection;
        }
      }
    }
    """
  }
}
