// What declared bridges add to the configuration of the shim.

interface HostConfiguration {
  declared?: import("./shim.js").DeclaredConfiguration[];
}
