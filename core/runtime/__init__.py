"""THE CALLER: d3d8.dll's role. Direct3D 8 API calls in, DDI calls out.

Calls come as columns, whether a trace or a script made them.  They are done in order: frequent ones are rows that one compiled
loop applies, all others functions.  Nothing here draws, reads files, or knows the tape; what is known about a surface is what
the API told, not its pixels.

Calls in:

    columns           the only way in
    events            apitrace's bytes -> columns, in one loop
    values            how apitrace writes values
    d3d8              Direct3D 8 for scripts; device8, device8_state, resources8 are its other objects
    device8           IDirect3DDevice8 for scripts
    device8_state     its state methods
    resources8        textures, surfaces, volumes, buffers, swap chains for scripts
    interface         what scripted objects share
    script            a scripted call as a row of columns
    structs           structures as scripts write them
    interfaces        every method and its arguments, as apitrace spells them
    source            a call of the columns as Python values, and as text for people

Doing them:

    runtime           the runtime of one driver: objects, devices, what is bound
    context           one device: its registers, its swap chain, its DDI context
    objects           what pointers name
    loop              from calls to their effects
    dispatch          who does which call: a row, a method, a drawer
    verdicts          what became of a call

Frequent calls:

    rows              what each becomes, said once
    words             the words of a token, from a call's arguments
    layout            what the compiled loop and Python share
    convert           the loop
    commands          the command buffer in the making

The others, by topic:

    methods           the table
    swapchain         devices, swap chains, render targets, Present
    driver_info       what a driver is asked before there is a device
    initial           state from register values
    surfaces          textures, cubes, volumes, render targets
    managed           managed textures and what is dirty
    locks             locks, and what the program wrote there
    buffers           vertex and index buffers
    copies            copies between surfaces, patches
    state             lights, multiplied matrices, clears
    stateblocks       state blocks
    shaders           vertex and pixel shaders
    palettes          texture palettes

In place of a driver's vertex processing:

    software          draws on behalf of a driver that has none
    process_vertices  ProcessVertices
    sieve             tokens that such a driver is not told

    paper             a driver that answers without drawing: imports use it
"""
