package org.alamein.client;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannelRegistry;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Set;

/**
 * Sets what a client is to be. It speaks TLS where the address begins with {@code https:}, or one
 * of the settings of TLS is made. What makes no sense is an {@link IllegalArgumentException}.
 */
public final class AlameinClientBuilder {
  private static final Set<String> SCHEMES = Set.of("http", "https", "any");

  private final String address;
  private boolean secure;
  private byte[] trusted;
  private byte[] certificate;
  private byte[] key;
  private int longestAnswer = 64 << 20;

  String token = "";
  Duration timeout = Duration.ofSeconds(20);
  Retry retry = Retry.DEFAULT;

  AlameinClientBuilder(String address) {
    this.address = address;
  }

  /**
   * Has every request bear a token. Without TLS it is taken for services on this machine alone.
   *
   * @param token the token
   * @return this
   */
  public AlameinClientBuilder token(String token) {
    this.token = token.strip();
    if (!this.token.chars().allMatch(sign -> sign > ' ' && sign <= '~')) {
      throw new IllegalArgumentException("token: it has signs that fit into no header");
    }
    return this;
  }

  /**
   * Speaks TLS with a service for which one of these certificates vouches, and not one of those
   * that this machine trusts.
   *
   * @param pem the certificates, in PEM
   * @return this
   */
  public AlameinClientBuilder trusted(byte[] pem) {
    trusted = pem.clone();
    secure = true;
    return this;
  }

  /**
   * Gives the client a certificate of its own, where the service asks for one.
   *
   * @param certificatePem the certificate, in PEM
   * @param keyPem its private key, in PEM
   * @return this
   */
  public AlameinClientBuilder identity(byte[] certificatePem, byte[] keyPem) {
    certificate = certificatePem.clone();
    key = keyPem.clone();
    secure = true;
    return this;
  }

  /**
   * Sets how long a call may take, all tries and the waits between them together. It is 20 seconds
   * unless set.
   *
   * @param timeout how long
   * @return this
   */
  public AlameinClientBuilder timeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout: it must be longer than nothing");
    }
    this.timeout = timeout;
    return this;
  }

  /**
   * Sets how calls are tried again.
   *
   * @param retry how
   * @return this
   */
  public AlameinClientBuilder retry(Retry retry) {
    this.retry = retry;
    return this;
  }

  /**
   * Sets how long an answer may be that is read. It is 64 MiB unless set.
   *
   * @param bytes how many bytes
   * @return this
   */
  public AlameinClientBuilder longestAnswer(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("longest answer: it must be longer than nothing");
    }
    longestAnswer = bytes;
    return this;
  }

  /**
   * Makes the client.
   *
   * @return the client
   */
  public AlameinClient build() {
    URI at = parsed();
    if (at.getScheme().equals("https")) {
      secure = true;
    } else if (at.getScheme().equals("http") && secure) {
      throw new IllegalArgumentException("address: " + address + " is without TLS, and TLS is set");
    }
    if (!token.isEmpty() && !secure && !isHere(at.getHost())) {
      throw new IllegalArgumentException(
          "token: " + address + ": everybody on the way could read it and use it; write https://");
    }
    int usual = at.getScheme().equals("https") ? 443 : 50051;
    int port = at.getPort() < 0 ? usual : at.getPort();
    // The brackets of an IPv6 address may not stand in a path as they are.
    String host = at.getHost().replace("[", "%5B").replace("]", "%5D");
    String target = "dns:///" + host + ":" + port;
    ChannelCredentials credentials = credentials();
    try {
      return new AlameinClient(AlameinClient.channelTo(target, credentials, longestAnswer), this);
    } catch (ManagedChannelRegistry.ProviderNotFoundException wrong) {
      // Of what is in the credentials the key alone has not been looked at yet.
      String what = certificate == null ? "address: " : "identity: ";
      throw new IllegalArgumentException(what + wrong.getMessage(), wrong);
    }
  }

  private URI parsed() {
    try {
      URI at = new URI(address.contains("://") ? address : "any://" + address);
      String path = at.getPath() == null ? "" : at.getPath();
      if (at.getHost() != null && path.replace("/", "").isEmpty()) {
        if (!SCHEMES.contains(at.getScheme())) {
          throw new IllegalArgumentException(
              "address: " + at.getScheme() + ": is neither http: nor https:");
        }
        return at;
      }
    } catch (URISyntaxException none) {
      // Told below.
    }
    throw new IllegalArgumentException("address: " + address + " is none; write localhost:50051");
  }

  private ChannelCredentials credentials() {
    if (!secure) {
      return InsecureChannelCredentials.create();
    }
    var tls = TlsChannelCredentials.newBuilder();
    try {
      if (trusted != null) {
        tls.trustManager(certificates("trusted", trusted));
      }
      if (certificate != null) {
        tls.keyManager(certificates("identity", certificate), new ByteArrayInputStream(key));
      }
    } catch (IOException wrong) {
      throw new IllegalArgumentException("identity: " + wrong.getMessage(), wrong);
    }
    return tls.build();
  }

  /** A text with certificates, after a look whether there are any in it. */
  private static InputStream certificates(String setting, byte[] pem) {
    try {
      var all = CertificateFactory.getInstance("X.509");
      if (!all.generateCertificates(new ByteArrayInputStream(pem)).isEmpty()) {
        return new ByteArrayInputStream(pem);
      }
    } catch (CertificateException none) {
      // Told below.
    }
    throw new IllegalArgumentException(setting + ": there is no certificate in PEM in it");
  }

  /** Whether a host is this machine. */
  private static boolean isHere(String host) {
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
  }
}
