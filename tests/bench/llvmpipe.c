/* The scenes of raster.py through Mesa (EGL without a window, desktop OpenGL 2.1): the peer to be measured against.
   gcc -O2 llvmpipe.c -lEGL -lGL -lm; LP_NUM_THREADS=0 ./a.out ROUNDS prints "scene|large or small|millions per CPU second". */
#define GL_GLEXT_PROTOTYPES
#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WIDTH 1024
#define HEIGHT 768
#define LAYERS 8

typedef struct { float position[4], color[4], uv0[2], uv1[2], fog, unused[3]; } Vertex;
typedef struct { const char *name, *fragment; int blend, color; } Scene;

static const char *VERTEX_SHADER =
    "#version 120\nattribute vec4 p; attribute vec4 c; attribute vec2 t0; attribute vec2 t1; attribute float f;"
    "varying vec4 vc; varying vec2 v0; varying vec2 v1; varying float vf;"
    "void main() { gl_Position = p; vc = c; v0 = t0; v1 = t1; vf = f; }";

static const Scene SCENES[] = {
    {"z only", "void main() { gl_FragColor = vec4(1); }", 0, 0},
    {"flat+z", "void main() { gl_FragColor = vec4(.2, .4, .6, 1); }", 0, 1},
    {"gouraud+z", "varying vec4 vc; void main() { gl_FragColor = vc; }", 0, 1},
    {"bilinear x diffuse+z",
     "varying vec4 vc; varying vec2 v0; uniform sampler2D s0; void main() { gl_FragColor = texture2D(s0, v0) * vc; }", 0, 1},
    {"2 tex+blend+fog",
     "varying vec4 vc; varying vec2 v0; varying vec2 v1; varying float vf; uniform sampler2D s0, s1;"
     "void main() { vec4 c = texture2D(s0, v0) * vc * texture2D(s1, v1);"
     "gl_FragColor = vec4(mix(vec3(.5, .6, .7), c.rgb, vf), c.a); }", 1, 1},
};

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static GLuint compile(GLenum kind, const char *head, const char *text) {
    const char *parts[] = {head, text};
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 2, parts, 0);
    glCompileShader(shader);
    return shader;
}

static void use_program(const char *fragment) {
    static const char *names[] = {"p", "c", "t0", "t1", "f"};
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, "", VERTEX_SHADER));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, "#version 120\n", fragment));
    for (int i = 0; i < 5; i++) glBindAttribLocation(program, i, names[i]);
    glLinkProgram(program);
    glUseProgram(program);
    for (int i = 0; i < 2; i++) {
        GLint place = glGetUniformLocation(program, i ? "s1" : "s0");
        if (place >= 0) glUniform1i(place, i);
    }
}

static void use_vertices(GLuint buffer) {
    static const int size[] = {4, 4, 2, 2, 1}, offset[] = {0, 16, 32, 40, 48};
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    for (int i = 0; i < 5; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, size[i], GL_FLOAT, 0, sizeof(Vertex), (void *)(size_t)offset[i]);
    }
}

static int open_context(void) {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, 0);
    if (!eglInitialize(display, 0, 0)) return 0;
    eglBindAPI(EGL_OPENGL_API);
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, 0);
    return context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

static void make_target(void) {
    GLuint frame, color, depth;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenTextures(1, &color);
    glBindTexture(GL_TEXTURE_2D, color);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_BGRA, GL_UNSIGNED_BYTE, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, WIDTH, HEIGHT);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    glViewport(0, 0, WIDTH, HEIGHT);
}

static void make_textures(void) {
    static unsigned image[65536];
    GLuint textures[2];
    glGenTextures(2, textures);
    for (unsigned i = 0; i < 65536; i++) image[i] = (i * 2654435761u) ^ (i >> 3) * 40503u;
    for (int k = 0; k < 2; k++) {
        glActiveTexture(GL_TEXTURE0 + k);
        glBindTexture(GL_TEXTURE_2D, textures[k]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 256, 0, GL_BGRA, GL_UNSIGNED_BYTE, image);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    }
}

static void make_large(void) {
    static Vertex shape[LAYERS * 6];
    static const int corner[] = {0, 1, 2, 2, 1, 3};
    for (int n = 0; n < LAYERS * 6; n++) {
        int i = corner[n % 6];
        float fx = i & 1, fy = i >> 1, w = 1 + 0.5f * fy, z = 0.9f - 1.6f * (n / 6) / LAYERS;
        Vertex v = {{(2 * fx - 1) * w, (2 * fy - 1) * w, z * w, w}, {fx, fy, 1 - fx, 0.3f + 0.5f * fy}, {fx * 4, fy * 3},
                    {fx * 2 + .1f, fy * 2}, 0.2f + 0.7f * fy, {0}};
        shape[n] = v;
    }
    glBufferData(GL_ARRAY_BUFFER, sizeof shape, shape, GL_STATIC_DRAW);
}

/* A grid of triangles of ten pixels; returns the number of indices. */
static int make_small(void) {
    const float cell = 4.472f;
    int columns = (int)(WIDTH / cell), rows = (int)(HEIGHT / cell), count = 0;
    Vertex *grid = calloc((columns + 1) * (rows + 1), sizeof *grid);
    unsigned *index = malloc(columns * rows * 6 * sizeof *index);
    for (int y = 0; y <= rows; y++)
        for (int x = 0; x <= columns; x++) {
            float fx = x * cell / WIDTH, fy = y * cell / HEIGHT;
            Vertex v = {{2 * fx - 1, 2 * fy - 1, 0, 1}, {fx, fy, 1 - fx, 0.5f}, {fx * 4, fy * 3}, {fx * 2, fy * 2}, fy, {0}};
            grid[y * (columns + 1) + x] = v;
        }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            unsigned a = y * (columns + 1) + x, c = a + columns + 1, corner[] = {a, a + 1, c, c, a + 1, c + 1};
            for (int i = 0; i < 6; i++) index[count++] = corner[i];
        }
    glBufferData(GL_ARRAY_BUFFER, (columns + 1) * (rows + 1) * sizeof *grid, grid, GL_STATIC_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, count * sizeof *index, index, GL_STATIC_DRAW);
    return count;
}

static double median_seconds(int rounds, int large, int indices, int color) {
    double seconds[64];
    for (int round = -2; round < rounds; round++) {
        glColorMask(1, 1, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glFinish();
        glColorMask(color, color, color, color);
        double start = cpu_seconds();
        if (large) glDrawArrays(GL_TRIANGLES, 0, LAYERS * 6);
        else for (int i = 0; i < 2; i++) glDrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_INT, 0);
        glFinish();
        if (round >= 0) seconds[round] = cpu_seconds() - start;
    }
    qsort(seconds, rounds, sizeof *seconds, ascending);
    return seconds[rounds / 2];
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 9;
    if (rounds < 1 || rounds > 64 || !open_context()) return 1;
    make_target();
    make_textures();
    GLuint buffers[3];
    glGenBuffers(3, buffers);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[2]);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    make_large();
    glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
    int indices = make_small();
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (size_t s = 0; s < sizeof SCENES / sizeof *SCENES; s++) {
        use_program(SCENES[s].fragment);
        (SCENES[s].blend ? glEnable : glDisable)(GL_BLEND);
        for (int large = 1; large >= 0; large--) {
            use_vertices(buffers[large ? 0 : 1]);
            double amount = large ? (double)LAYERS * WIDTH * HEIGHT : indices / 3 * 2;
            double seconds = median_seconds(rounds, large, indices, SCENES[s].color);
            printf("%s|%s|%.2f\n", SCENES[s].name, large ? "large" : "small", amount / seconds / 1e6);
        }
    }
    return 0;
}
