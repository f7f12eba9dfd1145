/** Certificates of every right and wrong kind, made with openssl when a suite needs them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  readonly folder: string;
  /** The authority, to be trusted by the client. */
  readonly ca: Pair;
  readonly server: Pair;
  readonly otherHost: Pair;
  readonly expired: Pair;
  readonly future: Pair;
  readonly selfSigned: Pair;
  readonly client: Pair;
  remove(): void;
}

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  const openssl = (...args: string[]) =>
    execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "ignore", "ignore"] });
  const pair = (name: string): Pair => ({
    cert: readFileSync(join(folder, `${name}.crt`), "utf8"),
    key: readFileSync(join(folder, `${name}.key`), "utf8"),
  });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const self = (name: string, extension: string): Pair => {
    openssl(
      "req",
      "-x509",
      ...key,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.crt`,
      "-days",
      "30",
      "-subj",
      `/CN=${name}`,
      "-addext",
      extension,
    );
    return pair(name);
  };
  const ca = self("ca", "keyUsage=critical,keyCertSign,cRLSign");
  writeFileSync(join(folder, "index.txt"), "");
  writeFileSync(
    join(folder, "ca.cnf"),
    "[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nrand_serial=yes\ndefault_md=sha256\npolicy=p\nnew_certs_dir=.\nunique_subject=no\ncopy_extensions=copy\n[p]\ncommonName=supplied\n",
  );
  const issued = (name: string, alternative: string, from: string, to: string): Pair => {
    openssl(
      "req",
      "-new",
      ...key,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.csr`,
      "-subj",
      `/CN=${name}`,
      "-addext",
      `subjectAltName=${alternative}`,
    );
    openssl(
      "ca",
      "-batch",
      "-config",
      "ca.cnf",
      "-cert",
      "ca.crt",
      "-keyfile",
      "ca.key",
      "-in",
      `${name}.csr`,
      "-out",
      `${name}.crt`,
      "-notext",
      "-startdate",
      from,
      "-enddate",
      to,
    );
    return pair(name);
  };
  const here = "IP:127.0.0.1,DNS:localhost";
  const [past, now, later] = ["20200101000000Z", "20210101000000Z", "20990101000000Z"];
  return {
    folder,
    ca,
    server: issued("server", here, past, later),
    otherHost: issued("other", "DNS:other.example", past, later),
    expired: issued("expired", here, past, now),
    future: issued("future", here, "20980101000000Z", later),
    selfSigned: self("self", `subjectAltName=${here}`),
    client: issued("client", "DNS:client.example", past, later),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
